// What a run lends to a connector that one of its nodes uses, and which answers it gives in its place: a stand-in by name, or the recording that `replay` made.
import type { ConnectorLink, Playback, StandIn } from './connector.ts';
import type { NodeHost } from './node-kinds.ts';
import type { ExecuteOptions } from './run.ts';

type StandIns = NonNullable<ExecuteOptions['connectors']>;

export function isPlayback(standIns: StandIns): standIns is Playback {
  return standIns.kind === 'playback';
}

function standInFor(standIns: ExecuteOptions['connectors'], name: string): StandIn | Playback | undefined {
  if (standIns === undefined || isPlayback(standIns)) return standIns;
  return Object.hasOwn(standIns, name) ? standIns[name] : undefined;
}

interface LinkHost extends Omit<NodeHost, 'options'> {
  readonly options: ExecuteOptions;
  readonly finished: boolean;
}

export function linkTo(connector: string, host: LinkHost, node: string, signal: AbortSignal): ConnectorLink {
  return {
    node: host.pathOf(node),
    run: host.root,
    signal,
    counts: host.tally.connector(connector),
    standIn: standInFor(host.options.connectors, connector),
    listening: host.listening,
    emit: (event) => {
      if (host.listening && !host.finished) host.emit({ ...event, node });
    },
  };
}
