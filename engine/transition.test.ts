// The scheduler by itself: events in, effects out, no promise and no clock.
import fc from 'fast-check';
import { expect, test as rule } from 'vitest';
import { type Join, type NodeHandle, workflow } from './index.ts';
import { planOf } from './plan.ts';
import { type Effect, type Limits, newRunState, RUNNING, type RunState, type SchedulerEvent, type Topology, transition, WAITING } from './transition.ts';

const JOINS: readonly Join[] = ['all', 'settled', 'any'];

/** Ten nodes, edges from lower to higher by the bits of a number, joins and resource classes by their place. */
function topologyOf(bits: number): Topology {
  const flow = workflow('drawn');
  const nodes: NodeHandle<unknown, number>[] = [];
  for (let i = 0; i < 10; i++) {
    const join = JOINS[(bits + i) % 3] as Join;
    const node = flow.node(`n${i}`, { join, onFailure: i % 4 === 0 ? 'stop' : 'continue', ...(i % 2 === 0 ? { resource: 'even' } : {}), run: () => i });
    const before = nodes.filter((_, from) => ((bits >>> ((from * 7 + i * 3) % 29)) & 1) === 1);
    if (before.length === 0) flow.after(flow.start, node);
    for (const one of before) flow.after(one, node);
    nodes.push(node);
  }
  return planOf(flow.build()).topology;
}

function unitsOf(count: number): Limits & { free: number } {
  return {
    free: count,
    take() {
      if (this.free === 0) return false;
      this.free--;
      return true;
    },
  };
}

/** Plays a run by drawn choices. @returns the events that it came to, the effects of each, and where the run stands in the end */
function play(topology: Topology, choices: readonly number[], given?: readonly SchedulerEvent[]) {
  const limits = unitsOf(1);
  const run: RunState = newRunState(topology, 3, limits, true);
  const events: SchedulerEvent[] = [];
  const told: Effect[][] = [];
  const apply = (event: SchedulerEvent) => {
    const effects: Effect[] = [];
    transition(topology, run, event, effects);
    for (const { type } of effects) if (type === 'free-resource') limits.free++;
    expect(run.running).toBeLessThanOrEqual(3);
    events.push(event);
    told.push(effects);
  };
  if (given !== undefined) {
    for (const event of given) {
      if (event.type === 'resource-granted') limits.free--;
      apply(event);
    }
    return { events, told, run: { ...run, limits: limits.free } };
  }
  apply({ type: 'run-start' });
  for (let turn = 0; !run.over; turn++) {
    const choice = choices[turn % choices.length] as number;
    const at = (phase: number) => [...run.phase.keys()].filter((node) => run.phase[node] === phase);
    const [running, waiting] = [at(RUNNING), at(WAITING)];
    const node = running[choice % running.length];
    if (run.parkedCount > 0 && limits.free > 0) {
      limits.free--;
      apply({ type: 'resource-granted', resource: 1 });
    } else if (waiting.length > 0 && (node === undefined || choice % 7 === 0)) apply({ type: 'gate-answered', node: waiting[0] as number });
    else if (node === undefined) throw new Error('nothing runs, nothing waits, and the run is not over');
    else if (choice % 11 === 1) apply({ type: 'node-failed', node });
    else if (choice % 11 === 2) apply({ type: 'node-declined', node });
    else if (choice % 11 === 3 && turn < 50) apply({ type: 'node-waiting', node });
    else apply({ type: 'node-completed', node });
  }
  return { events, told, run: { ...run, limits: limits.free } };
}

rule('What may run is decided by a function of run and event: the same events have the same effects, and nothing but run and effects is touched', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }), (bits, choices) => {
      const topology = topologyOf(bits);
      const before = structuredClone(topology);
      const played = play(topology, choices);
      const again = play(topology, [], played.events);
      expect(again).toEqual(played);
      expect(topology).toEqual(before);
      // Every end is told once, and what is over stays as it is.
      const skipped = played.told.flat().filter(({ type }) => type === 'note-skip' || type === 'cancel-node').length;
      const ended = played.events.filter(({ type }) => /^node-(completed|failed|declined)$/.test(type)).length;
      expect(skipped + ended).toBe(topology.size);
      const phases = played.run.phase.slice();
      for (let node = 0; node < topology.size; node++) {
        const late: Effect[] = [];
        for (const type of ['node-completed', 'node-failed', 'node-declined', 'node-waiting', 'gate-answered'] as const)
          transition(topology, { ...played.run, limits: undefined }, { type, node }, late);
        expect([late, played.run.phase]).toEqual([[], phases]);
      }
    }),
    { numRuns: 200 },
  );
});
