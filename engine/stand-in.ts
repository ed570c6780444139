// Which answers a run gives in the place of a connector: one stand-in by name, or the recording that `replay` made.
import type { Playback, StandIn } from './connector.ts';
import type { ExecuteOptions } from './run.ts';

type StandIns = NonNullable<ExecuteOptions['connectors']>;

export function isPlayback(standIns: StandIns): standIns is Playback {
  return standIns.kind === 'playback';
}

export function standInFor(standIns: ExecuteOptions['connectors'], name: string): StandIn | Playback | undefined {
  if (standIns === undefined || isPlayback(standIns)) return standIns;
  return Object.hasOwn(standIns, name) ? standIns[name] : undefined;
}
