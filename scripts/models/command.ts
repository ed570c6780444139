// `agentgauge setup model`: what it asks, shows and says. The work is in set-up.ts.
import { UsageError } from '../../base/error.ts';
import { isLlamaReady, isWeightsReady, type KnownModel, LOCAL_MODELS, modelsFolder } from '../../runners/local-models.ts';
import type { CommandCall, CommandIo } from '../command.ts';
import { ask, canAsk } from '../python/ask.ts';
import { LLAMA_FACTS, modelFacts, setUpModel, takeFile } from './set-up.ts';

/** @param names what stands behind `setup model` */
export async function setUpModelCommand(names: readonly string[], values: CommandCall['values'], io: CommandIo): Promise<number> {
  const call = { say: (line: string) => io.err(`${line}\n`), signal: io.signal };
  const from = typeof values['from'] === 'string' ? values['from'] : undefined;
  if (from !== undefined && names.length > 0)
    throw new UsageError('OPTIONS_EXCLUDE', `--from ${from} and ${names.join(', ')} exclude each other`, {
      remedy: 'Weights of your own are called by their file.',
    });
  const model = from === undefined ? modelNamed(names) : undefined;
  const facts = [...(model === undefined || isWeightsReady(model) ? [] : [modelFacts(model)]), ...(isLlamaReady() ? [] : [LLAMA_FACTS])];
  if (facts.length > 0) {
    io.err(`${facts.join('\n')}\nPlace: ${modelsFolder()}\n`);
    if (values['yes'] !== true && canAsk(io) && !(await ask('Go on?', io))) return io.signal.aborted ? 130 : 1;
  }
  let name = model?.name ?? '';
  if (model !== undefined) await setUpModel(model, call);
  else name = await takeFile(from as string, call);
  io.out(`Ready: --model local:${name}\n`);
  return 0;
}

function modelNamed(names: readonly string[]): KnownModel {
  const model = names.length === 1 ? LOCAL_MODELS.find(({ name }) => name === names[0]) : undefined;
  if (model !== undefined) return model;
  const known = LOCAL_MODELS.map(({ name, downloadMegabytes, about }) => `\n    ${name}: ${downloadMegabytes} MB, ${about}`);
  throw new UsageError(
    'UNKNOWN_MODEL',
    `setup model wants one name, found ${names.length === 0 ? 'nothing' : names.map((name) => JSON.stringify(name)).join(', ')}`,
    {
      remedy: `There are:${known.join('')}\n  Or: agentgauge setup model --from FILE.gguf`,
    },
  );
}
