// Server-sent events out of a byte stream: decodes across chunk borders, so that a letter cut between two chunks stays whole.

/** The `data` of each event, in order. Ends with the stream; whoever reads says whether it ended too early. */
export async function* readEventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true });
      let start = 0;
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
        const line = rest.charCodeAt(end - 1) === 13 && end > start ? rest.slice(start, end - 1) : rest.slice(start, end);
        start = end + 1;
        if (line === '') {
          if (data.length > 0) yield data.length === 1 ? (data[0] as string) : data.join('\n');
          data = [];
        } else if (line.startsWith('data:')) data.push(line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5));
      }
      rest = rest.slice(start);
      if (done) return;
    }
  } finally {
    // Frees the connection when the reader stops early. What a dead stream says to that is of no interest.
    await reader.cancel().catch(() => {});
  }
}
