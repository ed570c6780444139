// Kinds of fault that the repository's own tests have not seen: `agentgauge reproduce --held-out examples/held-out`. Write your own in a folder of yours; only the
// export `faults` is read. What `spoil` gets is the turn that would have been right: { text, calls: [{ id, name, arguments }], finishReason, reasoning? }.

interface Turn {
  readonly text: string | null;
  readonly calls: readonly { readonly id: string | null; readonly name: string; readonly arguments: string }[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
}

export const faults = [
  {
    // Seen with small models: the arguments stand in a fence, as they would in a document.
    name: 'fenced-arguments',
    at: 'call',
    rate: 0.05,
    spoil: (right: Turn): Turn => ({ ...right, calls: right.calls.map((call) => ({ ...call, arguments: `\`\`\`json\n${call.arguments}\n\`\`\`` })) }),
  },
  {
    // The same call twice in one turn, under two ids or under one.
    name: 'doubled-call',
    at: 'call',
    rate: 0.05,
    spoil: (right: Turn, draw: number): Turn => ({
      ...right,
      calls: right.calls.flatMap((call) => [call, draw < 0.5 ? call : { ...call, id: `${call.id}-2` }]),
    }),
  },
  {
    // The answer is right, and buried.
    name: 'talks-on',
    at: 'answer',
    rate: 0.05,
    spoil: (right: Turn): Turn => ({ ...right, text: `${right.text ?? ''}\n\nIs there anything else that you would like to know?` }),
  },
];
