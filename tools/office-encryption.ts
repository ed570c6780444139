// Whether an Office file is locked: an encrypted one of any year is a compound file with a stream of this name (MS-OFFCRYPTO 2.3.4).

export function isEncryptedOffice(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from('EncryptedPackage', 'utf16le'));
}
