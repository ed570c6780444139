// Brings node_modules to what package-lock.json says, with the npm that is at hand (also under pnpm, yarn and bun: only npm reads this lock). Must parse on Node 12.
import fs from 'fs';
import path from 'path';
import { Complaint, say } from './complaint.mjs';
import { listRunning, withFolderLock } from './folder-lock.mjs';
import { countPackages, lockedRuntime, whatIsMissing } from './installed.mjs';
import { runNpm } from './npm.mjs';
import { npmComplaint } from './npm-complaint.mjs';

// Measured on two cores, from an empty npm cache on a slow line to a warm one.
const DOWNLOAD = '300 MB to download unless npm has them in its cache, 780 MB on disk, 15 seconds to 3 minutes';

// What is optional for users of the packed package is needed here: compiler, test runner and Node itself hang on it. So no setting of the user may leave
// it out.
const ARGUMENTS = [
  'ci',
  '--include=prod',
  '--include=dev',
  '--include=optional',
  '--include=peer',
  '--package-lock=true',
  '--workspaces=true',
  '--include-workspace-root=true',
];

function leftOut() {
  const { npm_config_omit: omit, npm_config_production: production, NODE_ENV: mode } = process.env;
  if (mode === 'production') return 'NODE_ENV=production';
  if (omit) return `omit=${omit.replace(/\s+/g, ',')}`;
  return production === 'true' ? 'production=true' : undefined;
}

function refuseWhileRunning(root, why) {
  const [first] = listRunning(root);
  if (first === undefined) return;
  throw new Complaint(
    `${why}, but process ${first.pid} (${first.what}, since ${first.startedAt}) works with the packages that are installed now`,
    `wait until it ends, or end it, then run the same command again`,
  );
}

export async function ensureInstalled(root) {
  if (whatIsMissing(root) === undefined) return;
  await withFolderLock(root, 'installing packages', async () => {
    const why = whatIsMissing(root);
    if (why === undefined) return; // another command brought it while we waited
    refuseWhileRunning(root, why);
    say(`${why}: npm ci brings ${countPackages(root)} packages (${DOWNLOAD})`);
    const setting = leftOut();
    if (setting) say(`${setting} is set aside for this: the clone needs its compiler, its test runner and every framework`);
    const { text, seconds } = await runNpm(root, ARGUMENTS, lockedRuntime(root));
    // On a full disk npm leaves files out, warns, and ends well with a list that looks whole.
    const still = /TAR_ENTRY_ERROR|ENOSPC/.test(text) ? 'files are missing' : whatIsMissing(root);
    if (still !== undefined) {
      fs.rmSync(path.join(root, 'node_modules', '.package-lock.json'), { force: true }); // so that the next command sees it too
      throw npmComplaint(root, `it ended well, yet ${still}`, text);
    }
    say(`installed in ${seconds} s`);
  });
}
