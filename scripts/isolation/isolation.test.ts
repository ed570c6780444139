// The reader of traces on lines that strace 6.1 wrote, and the judge on processes put together from such lines.
import { describe, expect, it } from 'vitest';
import { isolationLines, judgeTrace } from './judge-trace.ts';
import { quoted, readTrace, splitArguments } from './strace-lines.ts';
import { tracedProcesses } from './traced-processes.ts';

const HOST = '12662 1796086440.000000 execve("/usr/bin/node", ["node", "/clone/dist/scripts/cli.js", "run"], 0x7ffe /* 36 vars */) = 0';
const ORDER = String.raw`{\"type\":\"start\",\"protocolVersion\":1,\"adapterModule\":\"/clone/dist/adapters/langgraph.js\",\"exportName\":\"langgraph\",\"shape\":\"single\"`;
/** A worker from its birth to the answer with which it leaves, 40 ms before `end`. */
const worker = (between: readonly string[], end = '12810 1796086449.693095 +++ exited with 0 +++') => [
  HOST,
  '12662 1796086441.000000 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7fd84e33fa10) = 12810',
  '12810 1796086441.100000 chdir("/tmp/agentgauge-worker-a1") = 0',
  '12810 1796086441.200000 execve("/usr/bin/node", ["/usr/bin/node", "--max-semi-space-size=16", "/clone/dist/adapters/worker.js"], 0x7ffe /* 14 vars */) = 0',
  `12662 1796086441.300000 write(31<socket:[2784961]>, "${ORDER}"..., 612) = 612`,
  ...between,
  String.raw`12810 1796086449.653095 write(3<socket:[2784962]>, "{\"type\":\"worker-stopped\"}\n", 26) = 26`,
  end,
];
const judge = (lines: readonly string[]) => judgeTrace(tracedProcesses(readTrace(lines), '/clone'), { ofHarness: ['/run', '/cache'] });
const problems = (...between: string[]) => judge(worker(between)).problems;

describe('lines of a trace', () => {
  it('are calls with their arguments and result, and ends', () => {
    const lines = [
      '12345 1796086404.100000 openat(AT_FDCWD</tmp/tr>, "inside (1), \\"b\\".txt", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0666) = 3</tmp/tr/inside (1), "b".txt>',
      '12346 1796086404.200000 +++ killed by SIGTERM +++',
      '12347 1796086404.300000 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=12346, si_uid=0, si_status=0} ---',
      'strace: Process 12348 attached',
    ];
    const [call, end, ...rest] = [...readTrace(lines)];
    expect(call).toMatchObject({ kind: 'call', tid: 12_345, name: 'openat', result: '3</tmp/tr/inside (1), "b".txt>' });
    expect(call?.kind === 'call' && call.args.map((argument) => quoted(argument) ?? argument)).toEqual([
      'AT_FDCWD</tmp/tr>',
      'inside (1), "b".txt',
      'O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC',
      '0666',
    ]);
    expect(end).toEqual({ kind: 'end', tid: 12_346, atMs: expect.closeTo(1796086404200, 0), by: { signal: 'SIGTERM' } });
    expect(rest).toEqual([]);
  });

  it('of a call that was interrupted are put together, whatever stands between them', () => {
    const lines = [
      '7 1.000000 connect(19<socket:[1]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.7")}, 16 <unfinished ...>',
      '8 1.100000 unlink("/tmp/x" <unfinished ...>',
      '7 1.200000 <... connect resumed>) = -1 ENETUNREACH (Network is unreachable)',
      '8 1.300000 <... unlink resumed>) = 0',
    ];
    expect([...readTrace(lines)]).toMatchObject([
      { tid: 7, name: 'connect', result: '-1 ENETUNREACH (Network is unreachable)' },
      { tid: 8, name: 'unlink', args: ['"/tmp/x"'], result: '0' },
    ]);
  });

  it('are split at the commas between arguments alone', () => {
    expect(splitArguments('3<socket:[5]>, {sa_family=AF_INET, sin_port=htons(1)}, 16')).toEqual([
      '3<socket:[5]>',
      '{sa_family=AF_INET, sin_port=htons(1)}',
      '16',
    ]);
    expect(splitArguments('')).toEqual([]);
  });
});

describe('a worker', () => {
  it('that keeps its place has no problem, and its row says what it did', () => {
    const { rows, problems: found } = judge(
      worker([
        '12810 1796086442.000000 connect(19<socket:[1]>, {sa_family=AF_INET, sin_port=htons(41234), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 EINPROGRESS (Operation now in progress)',
        '12810 1796086442.100000 connect(20<socket:[2]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (No such file or directory)',
        '12810 1796086442.200000 mkdir("notes", 0777) = 0',
        '12810 1796086442.300000 openat(AT_FDCWD</tmp/agentgauge-worker-a1>, "notes/a.txt", O_WRONLY|O_CREAT, 0666) = 21</tmp/agentgauge-worker-a1/notes/a.txt>',
        '12810 1796086442.400000 openat(AT_FDCWD</tmp/agentgauge-worker-a1>, "/etc/hosts", O_RDONLY|O_CLOEXEC) = 21</etc/hosts>',
        '12810 1796086442.500000 openat(AT_FDCWD</tmp/agentgauge-worker-a1>, "/dev/null", O_RDWR|O_CLOEXEC) = 22</dev/null>',
        '12810 1796086442.600000 mkdir("/tmp", 0777) = -1 EEXIST (File exists)',
        '12810 1796086442.700000 unlink("/tmp/not-there") = -1 ENOENT (No such file or directory)',
      ]),
    );
    expect(found).toEqual([]);
    expect(rows.at(-1)).toMatchObject({ row: 'langgraph/single', workers: 1, onLoopback: 1, outward: 0, writtenInside: 3, writtenOutside: 0, lingered: 0 });
    expect(rows.at(-1)?.worstExitMs).toBeCloseTo(40, 0);
    expect(isolationLines({ rows }).at(-1)).toMatch(/^langgraph\/single +1 /);
  });

  it.each([
    [
      'connect(19<socket:[1]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.7")}, 16) = -1 ENETUNREACH (Network is unreachable)',
      'connect to 192.0.2.7:443',
    ],
    [
      'connect(19<socket:[1]>, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = -1 ENETUNREACH (Network is unreachable)',
      'connect to [2001:db8::1]:443',
    ],
    ['connect(19<socket:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0', 'connect to 127.0.0.53:53 (a name look-up)'],
    [
      'sendto(19<socket:[1]>, "x", 1, MSG_NOSIGNAL, {sa_family=AF_INET, sin_port=htons(8125), sin_addr=inet_addr("198.51.100.1")}, 16) = -1 ENETUNREACH (Network is unreachable)',
      'sendto to 198.51.100.1:8125',
    ],
  ])('that turns outward is named with call and address, whatever came of it: %s', (call, told) => {
    expect(problems(`12810 1796086442.000000 ${call}`)).toEqual([`langgraph/single, process 12810 (node worker.js): ${told}`]);
    // ::1 and 127.x are home.
    expect(
      problems(
        `12810 1796086442.000000 ${call
          .replace('2001:db8::1', '::1')
          .replace(/192\.0\.2\.7|198\.51\.100\.1/, '127.0.0.9')
          .replace('(53)', '(54)')}`,
      ),
    ).toEqual([]);
  });

  it.each([
    ['openat(AT_FDCWD</tmp/agentgauge-worker-a1>, "../left.txt", O_WRONLY|O_CREAT, 0666) = 21</tmp/left.txt>', 'openat /tmp/left.txt'],
    ['openat(21</root/.config>, "x/state.json", O_RDWR|O_CREAT, 0666) = 22</root/.config/x/state.json>', 'openat /root/.config/x/state.json'],
    ['mkdir("/root/.crewai", 0777) = 0', 'mkdir /root/.crewai'],
    ['mkdir("/usr/share/x", 0777) = -1 EACCES (Permission denied)', 'mkdir /usr/share/x'],
    ['rename("a.txt", "/tmp/b.txt") = 0', 'rename /tmp/b.txt'],
    ['unlinkat(AT_FDCWD</tmp>, "b.txt", 0) = 0', 'unlinkat /tmp/b.txt'],
    ['symlinkat("target", AT_FDCWD</run>, "link") = 0', 'symlinkat /run/link'],
  ])('that writes elsewhere, in the run too, is named with call and path: %s', (call, told) => {
    expect(problems(`12810 1796086442.000000 ${call}`)).toEqual([`langgraph/single, process 12810 (node worker.js): ${told}`]);
  });

  it('answers for its threads and for what it starts, also when their lines come before those of their birth', () => {
    const child = [
      '12900 1796086443.000000 execve("/bin/sh", ["/bin/sh", "-c", ": > left"], 0x7ffe /* 14 vars */) = 0',
      '12901 1796086443.050000 connect(9<socket:[9]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.7")}, 16) = -1 ENETUNREACH (Network is unreachable)',
      '12900 1796086443.100000 chdir("/") = 0',
      '12900 1796086443.200000 openat(AT_FDCWD</>, "tmp/left", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</tmp/left>',
      '12810 1796086443.300000 vfork() = 12900',
      '12810 1796086443.400000 clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|CLONE_SYSVSEM, exit_signal=0} => {parent_tid=[12901]}, 88) = 12901',
    ];
    expect(problems(...child)).toEqual([
      'langgraph/single, process 12810 (node worker.js): connect to 192.0.2.7:443',
      'langgraph/single, process 12900 (sh): openat /tmp/left',
    ]);
  });

  it('that lingers after its last word, or has to be ended, is named; one that the host ended in a trial is not', () => {
    const late = judge(worker([], '12810 1796086450.353095 +++ exited with 0 +++'));
    expect(late.late).toEqual([{ row: 'langgraph/single', sentence: 'langgraph/single, process 12810 (node worker.js): ended 700 ms after its last word' }]);
    const killed = judge(worker([], '12810 1796086450.153095 +++ killed by SIGTERM +++'));
    expect(killed.late.map(({ sentence }) => sentence)).toEqual([expect.stringContaining('was ended by SIGTERM 500 ms after its last word')]);
    const stopped = judge([...worker([]).slice(0, -2), '12810 1796086450.153095 +++ killed by SIGKILL +++']);
    expect([stopped.problems, stopped.late, stopped.rows.at(-1)?.stopped]).toEqual([[], [], 1]);
    const unseen = judge(worker([]).slice(0, -1));
    expect(unseen.problems).toEqual(['langgraph/single, process 12810 (node worker.js): was not seen to end']);
  });

  it('says the same thing once, with its number', () => {
    const again = '12810 1796086442.000000 mkdir("/root/.crewai", 0777) = 0';
    expect(problems(again, again, again)).toEqual(['langgraph/single, process 12810 (node worker.js): mkdir /root/.crewai, and 2 more like it']);
  });
});

describe('the harness', () => {
  it('may write its run and its cache, and nothing else', () => {
    const writes = (path: string) => judge([HOST, `12662 1796086440.100000 openat(AT_FDCWD</clone>, "${path}", O_WRONLY|O_CREAT, 0666) = 9<${path}>`]).problems;
    expect([writes('/run/a/trials.jsonl'), writes('/cache/x.json'), writes('/runs/x')]).toEqual([
      [],
      [],
      ['harness, process 12662 (node cli.js): openat /runs/x'],
    ]);
  });
});
