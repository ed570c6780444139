// Escapes text for the XML of written documents.

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export function xmlEscaped(text: string | number): string {
  return String(text).replace(/[&<>"]/g, (sign) => `&${({ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' } as const)[sign as '&' | '<' | '>' | '"']};`);
}

/** Parts of an Office file as bytes, each with the XML head. */
export function xmlParts(parts: Readonly<Record<string, string>>): Record<string, Uint8Array> {
  const encoder = new TextEncoder();
  return Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, encoder.encode(XML_HEAD + xml)]));
}

const DATED = '2026-01-05T08:00:00Z';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';

/** Parts that every Office file has: types by path, the way in, and who wrote it when. */
export function officeShell(title: string, main: string, types: Readonly<Record<string, string>>): Record<string, string> {
  const overrides = Object.entries({ ...types, 'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml' });
  return {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.map(([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`).join('')}</Types>`,
    '_rels/.rels': relations([
      [`${OFFICE}/relationships/officeDocument`, main],
      [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    ]),
    'docProps/core.xml': `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlEscaped(title)}</dc:title><dc:creator>Office</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${DATED}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${DATED}</dcterms:modified></cp:coreProperties>`,
  };
}

/** A relationships part: type and target, numbered `rId1`, `rId2`, … */
export function relations(entries: readonly (readonly [type: string, target: string])[]): string {
  return `<Relationships xmlns="${PACKAGE}/relationships">${entries.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${type}" Target="${target}"/>`).join('')}</Relationships>`;
}
