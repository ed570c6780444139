// A child process that runs JavaScript programs for the broker, one at a time, each in a QuickJS of its own. Started by run-javascript.ts.
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/error.ts';
import type { ChildReply } from './code-pool.ts';
import type { CodeRequest } from './code-run.ts';
import { type MachineLimits, runJavaScript } from './javascript-machine.ts';

/** Programs see a clock that stands still, also as the seed of their random numbers: the same program gives the same result each time. */
Object.assign(Date, { now: () => Date.UTC(2026, 0, 1) });

process.on('disconnect', () => process.exit());
process.on('message', ({ request, limits }: { readonly request: CodeRequest; readonly limits: MachineLimits }) => {
  runJavaScript(request, limits, systemClock).then(
    (outcome) => process.send?.({ outcome } satisfies ChildReply),
    (thrown: unknown) => process.send?.({ failure: messageOf(thrown) } satisfies ChildReply),
  );
});
