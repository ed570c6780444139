// A failure of the start step that the user can mend, and the one way in which the step speaks. Must parse on Node 12.

export class Complaint extends Error {
  constructor(message, remedy, exitCode) {
    super(message);
    this.remedy = remedy;
    this.exitCode = exitCode || 1;
  }

  lines() {
    return this.remedy ? `${this.message}\n  ${this.remedy[0].toUpperCase()}${this.remedy.slice(1)}.` : this.message;
  }
}

/** Speaks on standard error, so that `--format json` owns standard output. */
export function say(text) {
  process.stderr.write(`agentgauge: ${text}\n`);
}

/** Turns a file-system error into a complaint about this folder. */
export function folderComplaint(error, folder) {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    return new Complaint(`the disk is full: ${folder} (${error.code})`, 'free about 1 GB there, then run the same command again');
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS')
    return new Complaint(
      `${folder} cannot be written by this user (${error.code}: ${error.path || folder})`,
      'make the folder yours (chown), or unpack the project in a folder that you own',
    );
  return error;
}
