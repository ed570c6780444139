// Checkpoints in one SQLite file, a row a line. `node:sqlite` is loaded with this module, which only `sqliteCheckpoints` loads.
import { DatabaseSync } from 'node:sqlite';
import { anotherWriter, type ClaimingStore } from '../checkpoint-store.ts';
import { inUse, isAtWork, letGo, newWriter, readWriter } from './writer.ts';

export function openSqliteStore(file: string): ClaimingStore & { close(): Promise<void> } {
  const database = new DatabaseSync(file);
  // Full: a commit that has returned is on the disk. Busy: another process may be in the middle of its own commit.
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec('CREATE TABLE IF NOT EXISTS lines (run TEXT NOT NULL, at INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (run, at)) WITHOUT ROWID');
  database.exec('CREATE TABLE IF NOT EXISTS writers (run TEXT NOT NULL PRIMARY KEY, writer TEXT NOT NULL) WITHOUT ROWID');
  const select = database.prepare('SELECT line FROM lines WHERE run = ? ORDER BY at');
  const next = database.prepare('SELECT coalesce(max(at) + 1, 0) AS held FROM lines WHERE run = ?');
  const insert = database.prepare('INSERT INTO lines (run, at, line) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM lines WHERE run = ?');
  const writerOf = database.prepare('SELECT writer FROM writers WHERE run = ?');
  const takeRun = database.prepare('INSERT OR REPLACE INTO writers (run, writer) VALUES (?, ?)');
  const leaveRun = database.prepare('DELETE FROM writers WHERE run = ? AND writer = ?');
  let open = true;

  /** All of what it does, or nothing, and no other process in between. */
  function atOnce(act: () => void): void {
    database.exec('BEGIN IMMEDIATE');
    try {
      act();
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    load: async (run) => select.all(run).map(({ line }) => String(line)),
    append: async (run, at, lines) =>
      atOnce(() => {
        const held = Number(next.get(run)?.held);
        if (held !== at) throw anotherWriter(run, held, at);
        for (const [i, line] of lines.entries()) insert.run(run, at + i, line);
      }),
    claim: async (run) => {
      const writer = newWriter();
      const text = JSON.stringify(writer);
      try {
        atOnce(() => {
          const other = readWriter(String(writerOf.get(run)?.writer));
          if (other !== undefined && isAtWork(other)) throw inUse(run, other);
          takeRun.run(run, text);
        });
      } catch (error) {
        letGo(writer);
        throw error;
      }
      return async () => {
        letGo(writer);
        if (open) leaveRun.run(run, text);
      };
    },
    delete: async (run) => void remove.run(run),
    close: async () => {
      if (open) database.close();
      open = false;
    },
  };
}
