import { expect, test } from 'vitest';
import { holdsOfficialData } from './blocklist.ts';

test.each([
  ['the data set on its hub', 'https://huggingface.co/datasets/gaia-benchmark/GAIA'],
  ['a file of it', 'https://huggingface.co/datasets/gaia-benchmark/GAIA/resolve/main/2023/validation/metadata.jsonl'],
  ['the leaderboard', 'https://gaia-benchmark-leaderboard.hf.space/'],
  ['its rows by the hub’s interface', 'https://datasets-server.huggingface.co/rows?dataset=gaia-benchmark%2FGAIA&config=2023_all&split=validation'],
  ['a mirror of the hub', 'https://hf-mirror.com/datasets/gaia-benchmark/GAIA'],
  ['someone’s copy on the hub', 'https://huggingface.co/datasets/someone/GAIA-annotated'],
  ['a copy on another hub', 'https://www.modelscope.cn/datasets/someone/gaia'],
  ['a competition page', 'https://www.kaggle.com/datasets/someone/gaia-level-1'],
  ['a copy beside code', 'https://raw.githubusercontent.com/someone/agent/main/data/gaia/2023/validation/metadata.jsonl'],
  ['a copy beside code, by its page', 'https://github.com/someone/agent/blob/main/eval/GAIA.jsonl'],
  ['the same by a delivery network', 'https://cdn.jsdelivr.net/gh/someone/agent@main/gaia_validation.json'],
  ['the paper', 'https://arxiv.org/abs/2311.12983'],
  ['the paper elsewhere', 'https://papers.mirror.example/pdf/2311.12983v1.pdf'],
  ['its reviews', 'https://openreview.net/forum?id=fibxvahvs3'],
  ['an archive of the hub', 'https://web.archive.org/web/2024/https://huggingface.co/datasets/gaia-benchmark/GAIA'],
  ['an archive of a copy', 'https://web.archive.org/web/2024/https://huggingface.co/datasets/someone/gaia'],
  ['a proxy', 'https://proxy.example/?u=https%3A%2F%2Fhuggingface.co%2Fdatasets%2Fsomeone%2FGAIA'],
  ['a proxy that encodes twice', 'https://proxy.example/?u=https%253A%252F%252Fhuggingface.co%252Fdatasets%252Fsomeone%252FGAIA'],
])('%s is refused', (_, address) => {
  expect(holdsOfficialData(address)).toBe(true);
});

test.each([
  ['another data set', 'https://huggingface.co/datasets/someone/birds'],
  ['the satellite', 'https://www.esa.int/Science_Exploration/Space_Science/Gaia'],
  ['the satellite’s archive', 'https://gea.esac.esa.int/archive/'],
  ['code for the satellite', 'https://github.com/someone/gaia-astrometry'],
  ['the goddess', 'https://en.wikipedia.org/wiki/Gaia'],
  ['a word that holds the name', 'https://huggingface.co/datasets/someone/gaianism'],
  ['a name in the middle of a word', 'https://huggingface.co/datasets/someone/magaian'],
  ['another paper', 'https://arxiv.org/abs/2311.12938'],
  ['an address with a stray percent sign', 'https://site.example/100%'],
])('%s is not', (_, address) => {
  expect(holdsOfficialData(address)).toBe(false);
});
