// Brings a message into a form that two runs of one seed share: no paths, ports, addresses or times of a machine; one line, bounded.

export function steadyText(text: string, limit = 300): string {
  const steady = text
    .replace(/(?:file:\/\/)?(?:\/[\w.@+~-]+){2,}\/?/g, '<path>')
    .replace(/\b(127\.0\.0\.1|localhost|\[::1\]):\d+/g, '$1:<port>')
    .replace(/\/w\/[\w-]+/g, '/w/<token>')
    .replace(/\b0x[0-9a-f]{6,}\b/gi, '<address>')
    .replace(/\s+/g, ' ')
    .trim();
  return steady.length > limit ? `${steady.slice(0, limit)}…` : steady;
}
