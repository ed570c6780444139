// The one program. Finds the command, parses its options, prints its errors: one clear line and what to do, never a stack for a foreseen error.
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { GaugeError, messageOf, UsageError } from '../base/error.ts';
import { asCalled, COMMAND_NAMES, type CommandName } from './called.ts';
import type { Command, CommandIo } from './command.ts';
import { wrapped } from './wrapped.ts';

/** Commands load when they are called: `--help` and `score` need no framework, no task set, no gateway. */
const COMMANDS: Readonly<Record<CommandName, { readonly summary: string; readonly load: () => Promise<Command> }>> = {
  reproduce: { summary: 'run the main study and print its tables', load: async () => (await import('./commands/reproduce.ts')).reproduce },
  ablate: { summary: 'turn one thing at a time: memory tiers, faults, dials, choices', load: async () => (await import('./commands/ablate.ts')).ablate },
  run: { summary: 'run a plan of your own', load: async () => (await import('./commands/run.ts')).run },
  report: { summary: 'make tables and pictures again from stored runs', load: async () => (await import('./commands/report.ts')).report },
  faults: { summary: 'what each framework does with each kind of model fault', load: async () => (await import('./commands/faults.ts')).faults },
  conformance: { summary: 'check an adapter, also one of your own', load: async () => (await import('./commands/conformance.ts')).conformance },
  init: { summary: 'write an adapter of your own to start from', load: async () => (await import('./commands/init.ts')).init },
  tasks: { summary: 'check a task set, or show its tasks', load: async () => (await import('./commands/tasks.ts')).tasks },
  export: { summary: 'write answers in the form of the GAIA leaderboard', load: async () => (await import('./commands/export.ts')).exportCommand },
  score: { summary: 'score answers as the official GAIA scorer does', load: async () => (await import('./commands/score.ts')).score },
  setup: { summary: 'bring what is no npm package: Python rows, speech, local models', load: async () => (await import('./commands/setup.ts')).setup },
  doctor: { summary: 'say what this machine has, and what brings the rest', load: async () => (await import('./commands/doctor.ts')).doctor },
  gateway: { summary: 'serve the simulated model, or a local one, to any program', load: async () => (await import('./commands/gateway.ts')).gateway },
  list: { summary: 'what there is: adapters, task sets, scorers, tools, models, profiles, rates', load: async () => (await import('./commands/list.ts')).list },
};

export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = argv[0] === 'help' && argv.length > 1 ? [...argv.slice(1), '--help'] : argv;
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      io.out(overview());
      return name === undefined ? 2 : 0;
    }
    if (name === '--version' || name === '-v') {
      io.out(`${(await import('../runners/manifest.ts')).packageVersion()}\n`);
      return 0;
    }
    const known = COMMAND_NAMES.find((candidate) => candidate === name);
    if (known === undefined)
      throw new UsageError('UNKNOWN_COMMAND', `there is no command ${JSON.stringify(name)}`, { remedy: `There are: ${COMMAND_NAMES.join(', ')}.` });
    const command = await COMMANDS[known].load();
    if (rest.includes('--help') || rest.includes('-h')) {
      io.out(helpOf(command, io.columns));
      return 0;
    }
    return await command.run(parse(command, rest), io);
  } catch (error) {
    return printError(error, io);
  }
}

function printError(error: unknown, io: CommandIo): number {
  if (io.signal.aborted) return 130;
  if (!(error instanceof GaugeError)) {
    io.err(`agentgauge: this is a defect of ours: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
  io.err(asCalled(`agentgauge: ${error.message} [${error.code}]\n`));
  if (error.remedy !== undefined) io.err(asCalled(`  ${error.remedy}\n`));
  return error instanceof UsageError ? 2 : 1;
}

function parse(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]));
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (cause) {
    const [message = ''] = messageOf(cause).split(/\.?\s*\n|\. /);
    const dashed = /^Option '(--[^' ]+).*' argument is ambiguous/.exec(message)?.[1];
    if (dashed !== undefined)
      throw new UsageError('BAD_OPTION', `${dashed} has no value, or one that begins with a dash`, { cause, remedy: `Such a value is written ${dashed}=-1.` });
    throw new UsageError('BAD_OPTION', message, { cause, remedy: `Try: agentgauge ${command.name} --help` });
  }
}

function overview(): string {
  const width = Math.max(...COMMAND_NAMES.map((name) => name.length));
  const lines = COMMAND_NAMES.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name].summary}`);
  const text = [
    'AgentGauge measures what an agent framework adds or breaks when model, tools and tasks are held equal.',
    '',
    'Usage: agentgauge COMMAND [options]',
    '',
    ...lines,
    '',
    'agentgauge COMMAND --help teaches each. A first look, no key needed:  agentgauge reproduce --quick --node-only',
    '',
  ];
  return asCalled(text.join('\n'));
}

function helpOf(command: Command, columns: number): string {
  const shown = Object.entries(command.options).map(([name, spec]) => ({
    left: `--${name}${spec.type === 'string' ? ` ${spec.value ?? 'VALUE'}` : ''}`,
    right: spec.fallback === undefined ? spec.help : `${spec.help} (default: ${spec.fallback})`,
  }));
  const width = Math.max(0, ...shown.map(({ left }) => left.length));
  return [
    `${command.name}: ${command.summary}`,
    '',
    asCalled(`Usage: agentgauge ${command.name} ${command.usage}`).trimEnd(),
    '',
    ...shown.flatMap(({ left, right }) => wrapped(`  ${left.padEnd(width)}  ${right}`, columns, ' '.repeat(Math.min(width + 4, columns / 2)))),
    '',
    ...asCalled(command.help)
      .trim()
      .split('\n\n')
      .flatMap((block) => [...blockOf(block, columns), '']),
  ].join('\n');
}

/** A paragraph is fitted to the screen; lines that are indented, such as examples, stay as they are. */
function blockOf(block: string, columns: number): string[] {
  const lines = block.split('\n');
  return lines.some((line) => line.startsWith(' ')) ? lines : wrapped(lines.join(' '), columns);
}

/** A second Ctrl-C leaves at once. Within this time it is the same one, come twice: from the terminal and from a parent that hands it on. */
const SAME_INTERRUPT_MS = 300;

function runAsProcess(): void {
  const controller = new AbortController();
  let interruptedAtMs: number | undefined;
  let readerLeft = false;
  let finished = false;
  const interrupt = () => {
    const nowMs = systemClock.nowMs();
    if (interruptedAtMs !== undefined && nowMs - interruptedAtMs > SAME_INTERRUPT_MS) process.exit(130);
    interruptedAtMs ??= nowMs;
    controller.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `| head` closes our output: that is no failure, and nobody waits for the rest.
    if (error.code === 'EPIPE') {
      readerLeft = true;
      controller.abort();
      return;
    }
    process.stderr.write(`agentgauge: cannot write to standard output: ${error.message} [CANNOT_WRITE]\n`);
    process.exit(1);
  });
  // Nobody reads our words any more; the work goes on, and the exit code still tells how it went.
  process.stderr.on('error', () => {});
  process.once('beforeExit', () => {
    if (finished) return;
    process.stderr.write('agentgauge: the command waits for something that never comes, such as an `await` in a plan file that nothing ends [NEVER_ENDS]\n');
    process.exitCode = 1;
  });
  const io: CommandIo = {
    stdin: process.stdin,
    out: (text) => readerLeft || process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    terminal: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 120,
    errTerminal: process.stderr.isTTY === true,
    errColumns: process.stderr.columns ?? 120,
    colour: process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '',
    signal: controller.signal,
  };
  void main(process.argv.slice(2), io).then((code) => {
    finished = true;
    process.exitCode = readerLeft && interruptedAtMs === undefined && code === 130 ? 0 : code;
  });
}

if (import.meta.main) runAsProcess();
