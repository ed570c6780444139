// Checkpoints in one SQLite file, a row a line. `node:sqlite` is loaded with this module, which only `sqliteCheckpoints` loads.
import { DatabaseSync } from 'node:sqlite';
import { anotherWriter, type CheckpointStore } from '../checkpoint-store.ts';

export function openSqliteStore(file: string): CheckpointStore & { close(): Promise<void> } {
  const database = new DatabaseSync(file);
  // Full: a commit that has returned is on the disk. Busy: another process may be in the middle of its own commit.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;');
  database.exec('CREATE TABLE IF NOT EXISTS lines (run TEXT NOT NULL, at INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (run, at)) WITHOUT ROWID');
  const select = database.prepare('SELECT line FROM lines WHERE run = ? ORDER BY at');
  const next = database.prepare('SELECT coalesce(max(at) + 1, 0) AS held FROM lines WHERE run = ?');
  const insert = database.prepare('INSERT INTO lines (run, at, line) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM lines WHERE run = ?');
  let open = true;
  return {
    load: async (run) => select.all(run).map(({ line }) => String(line)),
    append: async (run, at, lines) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const held = Number(next.get(run)?.held);
        if (held !== at) throw anotherWriter(run, held, at);
        for (const [i, line] of lines.entries()) insert.run(run, at + i, line);
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    delete: async (run) => void remove.run(run),
    close: async () => {
      if (open) database.close();
      open = false;
    },
  };
}
