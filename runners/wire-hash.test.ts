import { expect, test } from 'vitest';
import { hashOf } from '../base/canonical-json.ts';
import { wireHash } from './wire-hash.ts';

test('a wire has the hash of its canonical spelling, whichever way its keys came and however many were hashed since', () => {
  const hash = hashOf({ endpoint: 'chat', tools: [] });
  expect(wireHash({ endpoint: 'chat', tools: [] })).toBe(hash);
  expect(wireHash({ tools: [], endpoint: 'chat' })).toBe(hash);
  const others = Array.from({ length: 600 }, (_, number) => wireHash({ endpoint: String(number) }));
  expect(new Set(others).size).toBe(600);
  expect(wireHash({ endpoint: 'chat', tools: [] })).toBe(hash);
});
