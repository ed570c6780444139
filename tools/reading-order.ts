// From glyph runs with positions to lines in reading order: runs on one baseline are a line, a wide gap within it parts columns of a table (two blanks),
// and prose set in two columns is read down one column, then the other.

/** Text that was drawn at once, on an upright page with y growing downwards. Lengths in points. */
export interface Run {
  readonly text: string;
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly width: number;
  readonly size: number;
  /** False for text that runs up or down the page. */
  readonly upright: boolean;
}

interface Line {
  readonly y: number;
  readonly size: number;
  readonly runs: Run[];
}

/** In multiples of the font size: above it a gap parts words, and columns. */
const WORD_GAP = 0.12;
const COLUMN_GAP = 0.8;
/** Runs whose baselines differ by less are one line: it takes in superscripts. */
const SAME_LINE = 0.5;
/** More space than this between baselines is a blank line. */
const PARAGRAPH_GAP = 2.2;

export function linesOf(runs: readonly Run[]): string[] {
  const lines = intoLines(runs.filter((run) => run.upright));
  const text: string[] = [];
  for (const band of bandsOf(lines)) text.push(...render(band));
  // Text up the margin (labels of axes, stamps) has no place among the lines; it follows them.
  return [...text, ...runs.filter((run) => !run.upright).map((run) => run.text.trim())];
}

function intoLines(runs: readonly Run[]): Line[] {
  const lines: Line[] = [];
  for (const run of [...runs].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const line = lines.at(-1);
    if (line && Math.abs(run.y - line.y) <= SAME_LINE * Math.max(line.size, run.size)) line.runs.push(run);
    else lines.push({ y: run.y, size: run.size, runs: [run] });
  }
  for (const line of lines) line.runs.sort((a, b) => a.x - b.x);
  return lines;
}

function render(lines: readonly Line[]): string[] {
  const text: string[] = [];
  let previous: Line | undefined;
  for (const line of lines) {
    if (previous && line.y - previous.y > PARAGRAPH_GAP * Math.max(line.size, previous.size)) text.push('');
    text.push(joined(line.runs));
    previous = line;
  }
  return text;
}

function joined(runs: readonly Run[]): string {
  let text = '';
  let end = Number.NEGATIVE_INFINITY;
  for (const run of runs) {
    const gap = (run.x - end) / run.size;
    if (text !== '') {
      if (gap > COLUMN_GAP) text = `${text.trimEnd()}  `;
      else if (gap > WORD_GAP && !/\s$/.test(text) && !/^\s/.test(run.text)) text += ' ';
    }
    text += /\s\s$/.test(text) ? run.text.trimStart() : run.text;
    end = run.x + run.width;
  }
  return text.trim();
}

/** Lines of two columns of prose, set side by side, in a row of their own: first all left halves, then all right ones. */
function bandsOf(lines: readonly Line[]): Line[][] {
  const gutter = gutterOf(lines);
  if (gutter === undefined) return [[...lines]];
  const bands: Line[][] = [];
  let [plain, left, right]: [Line[], Line[], Line[]] = [[], [], []];
  const closeColumns = () => {
    if (left.length + right.length > 0) bands.push(left, right);
    [left, right] = [[], []];
  };
  const closePlain = () => {
    if (plain.length > 0) bands.push(plain);
    plain = [];
  };
  for (const line of lines) {
    if (line.runs.some((run) => run.x < gutter && run.x + run.width > gutter)) {
      closeColumns();
      plain.push(line);
      continue;
    }
    closePlain();
    const [before, after] = [line.runs.filter((run) => run.x < gutter), line.runs.filter((run) => run.x >= gutter)];
    if (before.length > 0) left.push({ ...line, runs: before });
    if (after.length > 0) right.push({ ...line, runs: after });
  }
  closePlain();
  closeColumns();
  return bands.filter((band) => band.length > 0);
}

const MIN_COLUMN_LINES = 6;
/** Prose fills its column: cells of a table are mostly shorter than this. */
const MIN_PROSE_CHARACTERS = 25;

/** Where two columns of prose are parted, or `undefined`. Candidates are the places where a run begins in the middle of the page. */
function gutterOf(lines: readonly Line[]): number | undefined {
  const runs = lines.flatMap((line) => line.runs);
  if (runs.length === 0) return undefined;
  const leftEdge = Math.min(...runs.map((run) => run.x));
  const rightEdge = Math.max(...runs.map((run) => run.x + run.width));
  const counts = new Map<number, number>();
  for (const { x } of runs)
    if (x > leftEdge + 0.35 * (rightEdge - leftEdge) && x < leftEdge + 0.65 * (rightEdge - leftEdge))
      counts.set(Math.round(x), (counts.get(Math.round(x)) ?? 0) + 1);
  const [place, count] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0] ?? [0, 0];
  if (count < MIN_COLUMN_LINES) return undefined;
  const gutter = place - 2;
  const sides = lines.filter((line) => line.runs.some((run) => run.x < gutter && run.x + run.width <= gutter) && line.runs.some((run) => run.x >= gutter));
  const crossing = lines.filter((line) => line.runs.some((run) => run.x < gutter && run.x + run.width > gutter));
  if (sides.length < MIN_COLUMN_LINES || crossing.length > sides.length) return undefined;
  const lengths = sides.flatMap((line) => [
    joined(line.runs.filter((run) => run.x < gutter)).length,
    joined(line.runs.filter((run) => run.x >= gutter)).length,
  ]);
  lengths.sort((a, b) => a - b);
  return (lengths[Math.floor(lengths.length / 4)] ?? 0) >= MIN_PROSE_CHARACTERS ? gutter : undefined;
}
