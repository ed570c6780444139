// A synthetic adapter whose own work is known: two model calls with a stated number of milliseconds of work between them. The user text says how many.

import type { Adapter, Terms } from '../../adapters/adapter.ts';
import { systemClock } from '../../base/clock.ts';

export const ownWork: Adapter = { single };

function single(terms: Terms) {
  return {
    run: async (signal: AbortSignal) => {
      await ask(terms, signal);
      const untilMs = systemClock.nowMs() + Number(terms.userText);
      while (systemClock.nowMs() < untilMs);
      return await ask(terms, signal);
    },
    close: async () => {},
  };
}

async function ask({ model, userText }: Terms, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${model.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: model.name, messages: [{ role: 'user', content: userText }] }),
    signal,
  });
  const reply = (await response.json()) as { choices: [{ message: { content: string } }] };
  return reply.choices[0].message.content;
}
