// The attachments of one task as data: every file's whole text as a reading tool gives it, files in archives too, and all tables in them. The second solver
// looks things up here by what columns and rows are called, and never by where a plan says that a value stands.

/** Asks a tool of the broker and gives the whole of what it says. */
export type AskTool = (tool: string, given: Readonly<Record<string, string | number>>) => Promise<string>;

export interface Paper {
  /** `attachment-1.zip!/books/may-tarr.csv` */
  readonly path: string;
  /** Lower case, without the dot. */
  readonly kind: string;
  readonly text: string;
}

export interface Table {
  readonly path: string;
  /** What stands above it, or the name of its sheet. */
  readonly title: string;
  /** Of a PDF. */
  readonly page?: number;
  readonly hidden: boolean;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly cells: readonly string[];
  /** Of all of its cells. */
  readonly colour?: string;
}

const TOOLS: Readonly<Record<string, string>> = {
  pdf: 'read_pdf',
  xlsx: 'read_spreadsheet',
  xls: 'read_spreadsheet',
  docx: 'read_document',
  pptx: 'read_document',
  png: 'describe_image',
  jpg: 'describe_image',
  wav: 'transcribe_audio',
  zip: 'list_archive',
};

export class Papers {
  readonly all: readonly Paper[];
  readonly tables: readonly Table[];
  readonly #ask: AskTool;

  private constructor(all: readonly Paper[], ask: AskTool) {
    this.all = all;
    this.tables = all.flatMap(tablesOf);
    this.#ask = ask;
  }

  /** @throws Error with the words of the tool that can read a file not at all */
  static async read(names: readonly string[], ask: AskTool): Promise<Papers> {
    const all: Paper[] = [];
    const paths = [...names];
    for (const path of paths) {
      const kind = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
      const text = await ask(TOOLS[kind] ?? 'read_text', { file: path });
      if (text.startsWith(path) && / (?:given up|cannot be read|is encrypted)\b/.test(text)) throw new Error(text);
      all.push({ path, kind, text });
      if (kind === 'zip') paths.push(...[...text.matchAll(/^(.+) {2}\d+ bytes$/gm)].map(([, inner]) => `${path}!/${inner}`));
    }
    return new Papers(all, ask);
  }

  of(...kinds: readonly string[]): Paper[] {
    return this.all.filter(({ kind }) => kinds.includes(kind));
  }

  /** The text of the only file of a kind. @throws Error for none or two */
  only(kind: string): string {
    const [paper, ...more] = this.of(kind);
    if (!paper || more.length > 0) throw new Error(`one ${kind} file is due, and there are ${this.of(kind).length}`);
    return paper.text;
  }

  /** @throws Error when a file is no JSON */
  json(...kinds: readonly string[]): unknown[] {
    return this.of(...kinds).map(({ text }) => JSON.parse(text));
  }

  /** Tables that have these columns. @throws Error when there is none */
  with(...columns: readonly string[]): Table[] {
    const found = this.tables.filter((table) => columns.every((column) => table.columns.includes(column)));
    if (found.length === 0) throw new Error(`no table has the columns ${columns.join(' and ')}`);
    return found;
  }

  /** What a program prints, line by line. @throws Error when it fails */
  async printed({ kind, text }: Paper): Promise<string[]> {
    const said = await this.#ask(kind === 'py' ? 'run_python' : 'run_javascript', { code: text });
    if (/^(?:Error|Stopped): /m.test(said)) throw new Error(`the program fails: ${said.slice(0, 200)}`);
    return (said.split(/^Output:$/m)[1] ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('Value: '));
  }
}

/** The cells of a column in all rows with this key. */
export function cells(tables: readonly Table[], keyColumn: string, key: string, column: string): string[] {
  return tables.flatMap((table) => {
    const [from, at] = [table.columns.indexOf(keyColumn), table.columns.indexOf(column)];
    return table.rows.filter((row) => row.cells[from]?.toLowerCase() === key.toLowerCase()).map((row) => row.cells[at] ?? '');
  });
}

export function column(tables: readonly Table[], name: string): string[] {
  return tables.flatMap((table) => table.rows.map((row) => row.cells[table.columns.indexOf(name)] ?? ''));
}

/** Pages of a PDF by number, with their paragraphs: lines up to the next blank one. */
export function pagesOf(text: string): { readonly page: number; readonly lines: readonly string[]; readonly paragraphs: readonly string[] }[] {
  const parts = text.split(/^Page (\d+) of \d+$/m).slice(1);
  return Array.from({ length: parts.length / 2 }, (_, i) => {
    const body = (parts[2 * i + 1] ?? '').trim();
    return { page: Number(parts[2 * i]), lines: body.split('\n'), paragraphs: body.split(/\n\s*\n/).map((lines) => lines.replaceAll('\n', ' ')) };
  });
}

/** Lines that were read in a picture, with what the tool says of the ground beside them. */
export function linesInPicture(text: string): string[] {
  return (
    (text.split(/^Text \(.*\):$/m)[1] ?? '')
      .split(/^Areas of one colour:$/m)[0]
      ?.trim()
      .split('\n') ?? []
  );
}

function tablesOf({ path, kind, text }: Paper): Table[] {
  if (kind === 'xlsx' || kind === 'xls') return sheetsOf(path, text);
  if (kind === 'csv') return [csvOf(path, text)];
  if (kind === 'pdf') return pagesOf(text).flatMap(({ page, lines }) => runs(path, lines, (line) => line.split(/\s{2,}/)).map((table) => ({ ...table, page })));
  if (kind === 'docx' || kind === 'pptx')
    return runs(path, text.split('\n'), (line) =>
      /^\|.*\|$/.test(line)
        ? line
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.trim())
        : [],
    );
  return [];
}

function sheetsOf(path: string, text: string): Table[] {
  const hidden = new Set([...(/^Workbook: .*$/m.exec(text)?.[0] ?? '').matchAll(/[:,] ([^:,]+) \(hidden\)/g)].map(([, name]) => name));
  return text
    .split(/^Sheet "/m)
    .slice(1)
    .flatMap((sheet): Table[] => {
      const title = sheet.slice(0, sheet.indexOf('"'));
      const rows = [...sheet.matchAll(/^Row \d+(?: \{(.+?)\})?: (.*)$/gm)].map(
        ([, colour, line = '']): Row => ({ cells: line.split(' | ').map((cell) => cell.trim()), ...(colour === undefined ? {} : { colour }) }),
      );
      // A title over all columns is no head.
      const head = rows.findIndex((row) => row.cells.filter((cell) => cell !== '').length > 1);
      return head < 0 ? [] : [{ path, title, hidden: hidden.has(title), columns: rows[head]?.cells ?? [], rows: rows.slice(head + 1) }];
    });
}

function csvOf(path: string, text: string): Table {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\[.*\]$/.test(line));
  const delimiter = lines[0]?.includes(';') ? ';' : ',';
  const [columns = [], ...rows] = lines.map((line) => line.split(delimiter).map((cell) => cell.trim()));
  return { path, title: path, hidden: false, columns, rows: rows.map((row) => ({ cells: row })) };
}

/** Lines of equally many cells below each other are a table; the line above it is its title. */
function runs(path: string, lines: readonly string[], cellsOf: (line: string) => string[]): Table[] {
  const tables: Table[] = [];
  for (let at = 0; at < lines.length; ) {
    const width = cellsOf(lines[at] as string).length;
    let end = at + 1;
    while (width > 1 && end < lines.length && cellsOf(lines[end] as string).length === width) end += 1;
    if (width > 1 && end - at > 1) {
      const [columns = [], ...rows] = lines.slice(at, end).map(cellsOf);
      const title = lines.slice(0, at).findLast((line) => line.trim() !== '') ?? '';
      tables.push({ path, title: title.replace(/^#+ /, ''), hidden: false, columns, rows: rows.map((row) => ({ cells: row })) });
    }
    at = end;
  }
  return tables;
}
