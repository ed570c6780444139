// A back end that says what a script says, in order of requests: conformance cases and faults as data. It reads nothing of the request.
import type { ModelScript, ScriptedReply } from '../base/script.ts';
import type { ReplySource, SourceAnswer, SourceTrial, TrialTerms } from './reply-source.ts';

export function scriptedSource(): ReplySource {
  return { models: ['scripted'], open: (terms) => scriptedTrial(terms) };
}

function scriptedTrial(terms: TrialTerms): SourceTrial {
  const script = terms.script;
  let asked = 0;
  return {
    reply: () => {
      const at = asked++;
      return script
        ? answerOf(replyAt(script, at), at)
        : { kind: 'error', status: 500, message: 'This trial brought no script.', type: 'server_error', code: 'no_script' };
    },
    facts: () => ({ harnessErrors: script ? [] : ['no-script'] }),
  };
}

/** Past the end the last reply is given again, unless the script says what comes `then`. */
function replyAt(script: ModelScript, at: number): ScriptedReply {
  return script.replies[at] ?? script.then ?? script.replies.at(-1) ?? { kind: 'error', status: 500, message: 'The script is empty.' };
}

function answerOf(reply: ScriptedReply, at: number): SourceAnswer {
  switch (reply.kind) {
    case 'text':
      return {
        kind: 'message',
        id: `scripted-${at}`,
        message: {
          text: reply.text,
          calls: [],
          finishReason: reply.finishReason ?? 'stop',
          ...(reply.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
        },
      };
    case 'calls':
      return {
        kind: 'message',
        id: `scripted-${at}`,
        message: {
          text: reply.text ?? '',
          calls: reply.calls.map((call, place) => ({
            id: call.id === undefined ? `call_${at}_${place}` : call.id,
            name: call.name,
            arguments: call.arguments,
          })),
          finishReason: reply.finishReason ?? 'tool_calls',
        },
      };
    case 'error':
      return { kind: 'error', status: reply.status, message: reply.message, ...(reply.headers ? { headers: reply.headers } : {}) };
    case 'raw':
    case 'hang':
    case 'reset':
      return reply;
    default:
      return reply satisfies never;
  }
}
