import { expect, test } from 'vitest';
import { hashOf } from '../base/canonical-json.ts';
import { wireOf } from './wire-hash.ts';

test('a wire has the hash of its canonical spelling, whichever way its keys came and however many were hashed since', () => {
  const hash = hashOf({ endpoint: 'chat', tools: [] });
  expect(wireOf('{"endpoint":"chat","tools":[]}')).toEqual({ hash, facts: { endpoint: 'chat', tools: [] } });
  expect(wireOf('{"tools":[],"endpoint":"chat"}').hash).toBe(hash);
  const others = Array.from({ length: 600 }, (_, number) => wireOf(`{"endpoint":"${number}"}`).hash);
  expect(new Set(others).size).toBe(600);
  expect(wireOf('{"endpoint":"chat","tools":[]}').hash).toBe(hash);
});
