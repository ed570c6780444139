// Bytes to text, for files and pages alike: a byte order mark decides, then valid UTF-8, then Windows-1252, in which every byte means something.

export interface Decoded {
  readonly text: string;
  /** Whether the bytes look like text at all. */
  readonly isText: boolean;
}

/** @param declared charset that the sender named; used unless a byte order mark says otherwise. Unknown names are ignored. */
export function decodeText(bytes: Uint8Array, declared?: string): Decoded {
  const text = decoderFor(bytes, declared).decode(bytes);
  return { text: text.replace(/\r\n?/g, '\n'), isText: !text.includes('\0') };
}

function decoderFor(bytes: Uint8Array, declared: string | undefined): TextDecoder {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  if (declared !== undefined) {
    try {
      return new TextDecoder(declared);
    } catch {
      // A page may name a charset that does not exist; the bytes then speak for themselves.
    }
  }
  try {
    const strict = new TextDecoder('utf-8', { fatal: true });
    strict.decode(bytes);
    return new TextDecoder('utf-8');
  } catch {
    return new TextDecoder('windows-1252');
  }
}
