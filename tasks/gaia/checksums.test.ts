import { describe, expect, it } from 'vitest';
import { GENERATOR_VERSION } from '../task-set-files.ts';
import { checkChecksum, checksums } from './checksums.ts';

const facts = { name: 'open68', seed: 1, hash: 'd5c0dda8d54fc559', tasks: 68, pages: 1_593, generator: GENERATOR_VERSION };

describe('the list of checksums', () => {
  it('is of this generator, and holds seeds 1 to 20 and a large set', () => {
    const { generator, sets } = checksums();
    expect(generator).toBe(GENERATOR_VERSION);
    expect(Object.keys(sets)).toEqual([...Array.from({ length: 20 }, (_, i) => `open68:seed=${i + 1}`), 'generated:seed=1,n=500']);
    expect(new Set(Object.values(sets)).size).toBe(Object.keys(sets).length);
    for (const hash of Object.values(sets)) expect(hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is content with the bytes that it knows, and names both hashes of others', () => {
    expect(checkChecksum(facts)).toEqual([]);
    expect(checkChecksum({ ...facts, hash: '0123456789abcdef' })).toEqual([
      {
        code: 'checksum',
        message: 'its hash is 0123456789abcdef, and d5c0dda8d54fc559 is listed: it was not written byte for byte as elsewhere',
      },
    ]);
    const large = { ...facts, name: 'generated', tasks: 500, hash: '0123456789abcdef' };
    const list = { generator: GENERATOR_VERSION, sets: { 'generated:seed=1,n=500': 'fedcba9876543210' } };
    expect(checkChecksum(large, list)).toHaveLength(1);
    expect(checkChecksum({ ...large, tasks: 499 }, list)).toEqual([]);
  });

  it('says nothing of sets that it does not list, and of other generators', () => {
    const other = { ...facts, hash: '0123456789abcdef' };
    expect(checkChecksum({ ...other, seed: 21 })).toEqual([]);
    expect(checkChecksum({ ...other, name: 'generated', tasks: 68 })).toEqual([]);
    expect(checkChecksum({ ...other, generator: GENERATOR_VERSION - 1 })).toEqual([]);
  });
});
