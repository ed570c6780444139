// Bytes to text, for files and pages alike: a byte order mark decides, then valid UTF-8, then Shift_JIS where that
// gives Japanese, then Windows-1252, in which every byte means something.

export interface Decoded {
  readonly text: string;
  /** Whether the bytes look like text at all. */
  readonly isText: boolean;
  /** The encoding, where nothing but the bytes themselves spoke for it. Absent for UTF-8, and for what was declared. */
  readonly guessed?: string;
  readonly encoding: string;
}

/** @param declared charset that the sender named; used unless a byte order mark says otherwise. Unknown names are ignored. */
export function decodeText(bytes: Uint8Array, declared?: string): Decoded {
  const { decoder, guessed } = decoderFor(bytes, declared);
  const text = decoder.decode(bytes);
  return {
    text: text.replace(/\r\n?/g, '\n'),
    isText: !text.includes('\0'),
    encoding: decoder.encoding,
    ...(guessed === undefined ? {} : { guessed }),
  };
}

export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** What a page says of its own encoding; there need not be such a one. */
export function declaredInHtml(bytes: Uint8Array): string | undefined {
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(headOf(bytes))?.[1];
  // What can be read a byte at a time is no UTF-16, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

export function declaredInXml(bytes: Uint8Array): string | undefined {
  return /^<\?xml[^>]*\sencoding\s*=\s*["']([\w:.-]+)/.exec(headOf(bytes))?.[1];
}

function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
}

/** What a reader of the text should know about a guess. */
export function guessRemark(guessed: string): string {
  return `[The file is no UTF-8 and names no encoding: it was taken for ${guessed}.]`;
}

function decoderFor(bytes: Uint8Array, declared: string | undefined): { decoder: TextDecoder; guessed?: string } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { decoder: new TextDecoder('utf-16le') };
  if (first === 0xfe && second === 0xff) return { decoder: new TextDecoder('utf-16be') };
  if (declared !== undefined) {
    try {
      return { decoder: new TextDecoder(declared) };
    } catch {
      // A page may name a charset that does not exist; the bytes then speak for themselves.
    }
  }
  if (strictly('utf-8', bytes) !== undefined) return { decoder: new TextDecoder('utf-8') };
  const guessed = looksJapanese(strictly('shift_jis', bytes)) ? 'shift_jis' : 'windows-1252';
  return { decoder: new TextDecoder(guessed), guessed };
}

function strictly(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Western text that happens to be valid Shift_JIS gives half-width katakana, not these. */
function looksJapanese(text: string | undefined): boolean {
  const foreign = text?.match(/[^\0-\x7f]/gu) ?? [];
  return foreign.length > 0 && foreign.filter((sign) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(sign)).length * 2 > foreign.length;
}
