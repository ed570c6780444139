// Text between and inside the tags of HTML, XML and SVG. Not for Markdown, which reads more signs than these.

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
