import { describe, expect, it } from 'vitest';
import { masked } from './mask.ts';

describe('masking slots', () => {
  it('makes one of two questions that differ in names, numbers and quotations', () => {
    expect(masked('How many steps has Tarnness Light in 2024, and who wrote "The Salt Orchard"?')).toBe(
      masked('How many steps has Cobb Light in 1998, and who wrote "The Tin Tide Table"?'),
    );
    expect(masked('Which of Amber Tern, Iron Heron and Sable Osprey is oldest?')).toBe('which of _ is oldest?');
  });

  it('keeps the words around them, so that another wording stays another', () => {
    expect(masked('How tall is Tarnness Light?')).not.toBe(masked('What is the height of Tarnness Light?'));
  });
});
