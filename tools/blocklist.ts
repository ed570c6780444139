// Places that hold the official questions with their answers: an agent that finds them there has looked them up, not answered them. Live runs fetch nothing
// from them, and search does not show them. By rules rather than by a list of copies, which would never be whole; the names are those of public places.

/** Hubs of data sets: whatever bears the benchmark's name there is a copy of it, or answers to it. */
const DATA_HUBS =
  /(?:^|\.)(?:huggingface\.co|hf\.co|hf-mirror\.com|hf\.space|kaggle\.com|modelscope\.(?:cn|ai)|opendatalab\.(?:com|org\.cn)|opencompass\.org\.cn)$/;
/** Where code lies: many projects keep their copy beside it, under the names of its files. */
const CODE_HOSTS = /(?:^|\.)(?:github\.com|githubusercontent\.com|github\.io|gitlab\.com|bitbucket\.org|gitee\.com|jsdelivr\.net|codeberg\.org)$/;
/** Not within another word: Gaiasch, Gaianism. */
const NAME = /(?<![a-z])gaia(?![a-z])/;
const ITS_FILES = /benchmark|dataset|validation|metadata|leaderboard|eval|2023|level[-_ ]?[123]|\.(?:jsonl|parquet)/;
/** The paper (arXiv 2311.12983, OpenReview fibxvahvs3), which prints questions with their answers, also on other hosts that mirror papers. */
const PAPER = /2311\.12983|fibxvahvs3/;
const ORGANISATION = /gaia[-_]?benchmark/;

/** @returns whether the address, or one that it carries for an archive or a proxy, is such a place */
export function holdsOfficialData(address: string): boolean {
  const text = decoded(address).toLowerCase();
  if (ORGANISATION.test(text) || PAPER.test(text)) return true;
  if (!NAME.test(text)) return false;
  return hostsIn(text).some((host) => DATA_HUBS.test(host) || (CODE_HOSTS.test(host) && ITS_FILES.test(text)));
}

/** Twice: what a proxy is asked for stands encoded in its address, and may be encoded there once more. */
function decoded(address: string): string {
  let text = address;
  for (let round = 0; round < 2; round++) {
    try {
      text = decodeURIComponent(text);
    } catch {
      break;
    }
  }
  return text;
}

/** Of the address itself and of every other that stands in it. */
function hostsIn(text: string): string[] {
  return [...text.matchAll(/(?:^|[/=:@.])([a-z0-9-]+(?:\.[a-z0-9-]+)+)/g)].map(([, host]) => host ?? '');
}
