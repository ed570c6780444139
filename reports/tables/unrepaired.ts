// Every failure that was not repaired, trial by trial, with what the record knows of it: what was met, at which step and how often, and how the trial ended.
// The rows of a framework here are the numerator of its rate "not repaired"; those that count as caused are the numerator of "caused" (method M5.2).
import type { OpenEnding } from '../../metrics/row-tally.ts';
import type { RunTally } from '../../metrics/run-tally.ts';
import type { Row, Table, TextCell } from '../report.ts';
import { captionOf } from './caption.ts';
import { sectionOf, type TableInput } from './frame-table.ts';

/** Our own row first: it is the one that claims to leave nothing. */
const SECTIONS: readonly Row['section'][] = ['apart', 'ranked', 'by-name', 'floor'];

/** What a cut trial met depends on the instant, so the exact part leaves it out. */
export function unrepaired(input: TableInput, run: RunTally): Table {
  const textOf = once((value: string): TextCell => ({ value, n: 1 }));
  const cellsOf = once((ending: OpenEnding) => cellsWith(ending, input.exact, textOf));
  const rows = input.summary.rows.flatMap((of): Row[] => {
    const { open } = run.row(of.key);
    const listed = open.filter(({ ending }) => !(input.exact && ending.cut === true)).map(({ ending, place }) => ({ ending, name: run.places.nameAt(place) }));
    listed.sort((a, b) => (a.name < b.name ? -1 : 1));
    const section = sectionOf(of, input.manifest.plan);
    return listed.map(({ ending, name }) => ({ key: of.key, section, cells: cellsOf(ending)(textOf(name)) }));
  });
  return {
    id: 'unrepaired',
    title: 'Failures that were not repaired, one by one',
    caption: captionOf(
      input,
      { denominator: 'One line a trial: those that the rate "not repaired" counts, cap included.', interval: 'No figures, so no interval.' },
      { excluded: [], cited: undefined },
    ),
    runs: 1,
    trials: input.summary.recorded,
    excluded: [],
    columns: [
      { id: 'trial', title: 'trial', unit: 'text', exact: true },
      { id: 'code', title: 'code', unit: 'text', exact: true },
      { id: 'handling', title: 'handling', unit: 'text', exact: true },
      { id: 'counts', title: 'counts as', unit: 'text', exact: true },
      { id: 'met', title: 'what was met', unit: 'text', exact: true },
      ...(input.exact ? [] : [{ id: 'ended', title: 'how it ended', unit: 'text', exact: false } as const]),
    ],
    rows: rows.sort((a, b) => SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section)),
    isList: true,
    notes: [
      ...(rows.length === 0 ? ['No failure of any row was left unrepaired.'] : []),
      'what was met: events in the order of plan steps, each with its step and how often; "repaired" = that one was mended. how it ended: the error that the row gave, or that it ended as if it had an answer.',
    ],
  };
}

/** Written out, since a copy of an object weighs twice as much and a list has a million lines. */
function cellsWith(ending: OpenEnding, exact: boolean, textOf: (value: string) => TextCell): (trial: TextCell) => Row['cells'] {
  const code = textOf(ending.code ?? ending.outcome);
  const handling = textOf(ending.handling ?? 'none');
  const counts = textOf(ending.isCaused ? 'caused' : 'not repaired');
  const met = textOf(metWords(ending));
  const ended = textOf(ending.message ?? (ending.outcome === 'limit' ? 'stopped at the cap' : 'ended as if it had an answer'));
  return (trial) => (exact ? { trial, code, handling, counts, met } : { trial, code, handling, counts, met, ended });
}

/** The list may be as long as the run, and says the same few things again and again. */
function once<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new Map<Key, Made>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

function metWords({ events }: OpenEnding): string {
  const groups = Map.groupBy(events, ({ code, step, repaired }) => JSON.stringify([code, step, repaired]));
  const words = [...groups.values()].map((group) => {
    const [first] = group;
    const at = first?.step === undefined ? '' : ` at ${first.step}`;
    const times = group.length === 1 ? '' : ` ${group.length} times`;
    return `${first?.code ?? ''}${at}${times}${first?.repaired === true ? ' (repaired)' : ''}`;
  });
  return words.length === 0 ? 'no fault' : words.join('; ');
}
