// The sentence that stands wherever a model's latency was laid out and not waited for: what the figure rests on, and that it is computed.
import type { Manifest } from '../../metrics/record.ts';

export function latencyWords({ latencyTable }: Manifest): string {
  if (latencyTable === undefined) return 'Measured: the model answered in its own time.';
  const { model, firstTokenMs, perOutputTokenMs, source, dated } = latencyTable;
  return `COMPUTED, not measured: the run had zero model latency; the latency table for ${model} (${firstTokenMs} ms to the first token, ${perOutputTokenMs} ms a token; ${source}; ${dated}) was laid on the recorded critical path.`;
}
