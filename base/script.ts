// A scripted model, as data: what a conformance case or a fault says instead of a model. The gateway plays it; cases live beside the adapters.
import type { RequestedCall } from './traffic.ts';

/** How a reply gets lost on its way: its bytes end half-way, and the end of the message comes all the same (`cut`) or the connection breaks (`stops`). */
export type Breakage = 'cut' | 'stops';

export type ScriptedCall = Pick<RequestedCall, 'name' | 'arguments'> & {
  readonly id?: string | null;
  /** Sent in the place of the text, as faulty servers do. */
  readonly argumentsAs?: { readonly value: unknown };
  /** Without the field `type`. */
  readonly untyped?: true;
};

interface OnItsWay {
  readonly broken?: Breakage;
  /** A stream that comes byte by byte. */
  readonly bytewise?: true;
}

/** One scripted reply. `raw` bypasses all encoding, `nothing` is a reply without a message: no choices, no output. */
export type ScriptedReply =
  | ({ readonly kind: 'text'; readonly text: string | null; readonly finishReason?: 'stop' | 'length'; readonly reasoning?: string } & OnItsWay)
  | ({
      readonly kind: 'calls';
      readonly calls: readonly ScriptedCall[];
      readonly text?: string;
      readonly finishReason?: 'tool_calls' | 'length' | 'stop';
    } & OnItsWay)
  | { readonly kind: 'nothing' }
  /** A call of the first offered tool that hands the task on: as it stands, or to somebody who does not exist. */
  | { readonly kind: 'hand-over'; readonly to: 'somebody' | 'nobody' }
  | { readonly kind: 'error'; readonly status: number; readonly message: string; readonly code?: string; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly kind: 'raw';
      readonly status: number;
      readonly contentType: string;
      readonly body: string /** For a request for a stream. */;
      readonly streamed?: { readonly contentType: string; readonly body: string };
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' };

/** Replies in order of requests. Past the end the last one is given again, unless `then` says otherwise. */
export interface ModelScript {
  readonly replies: readonly ScriptedReply[];
  readonly then?: ScriptedReply;
  /** What a request that offers no tools gets, whatever its turn: the model would go on calling for as long as it may. */
  readonly withoutTools?: ScriptedReply;
  /** A request whose messages hold more characters is refused as one over the model's context. */
  readonly windowChars?: number;
  /** A turn of calls whose text is null, or empty, is refused, as some servers do. */
  readonly refuses?: 'null-text' | 'empty-text';
  /** What requests without tools get before any that offers some; they count as no turn. */
  readonly opening?: ScriptedReply;
  /** A history in which calls and results do not pair is refused, as providers do. */
  readonly pairs?: true;
}

/** What a scripted tool does when called. Text may hold `{{argument}}` to echo one. */
export type ScriptedResult =
  | { readonly kind: 'text'; readonly text: string; readonly delayMs?: number }
  | { readonly kind: 'failure'; readonly status: 422 | 500; readonly message: string };
