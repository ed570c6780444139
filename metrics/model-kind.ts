// Whether what answered was a language model, whose times are measured as they were, or one of ours, which takes none. Not about which model it was.

export function isRealModel(modelKind: string): boolean {
  return modelKind === 'upstream' || modelKind === 'local';
}
