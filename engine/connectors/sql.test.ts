// SQL over node:sqlite as a real driver, and over a slow one that stops when it is told to.
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { manualClock, settle } from '../fixtures/manual-clock.ts';
import { used } from '../fixtures/use-connector.ts';
import { type SqlConnectorOptions, type SqlRow, type SqlValue, sqlConnector } from './sql.ts';

const database = new DatabaseSync(':memory:');
afterAll(() => database.close());
database.exec("create table rain (town text, mm integer, note blob); insert into rain values ('Riga', 61, null), ('Porto', 104, x'ff')");

const query: SqlConnectorOptions['query'] = (sql, params) => database.prepare(sql).all(...(params as string[])) as SqlRow[];

test('a statement reads and writes with its values as parameters, whatever stands in them', async () => {
  const db = sqlConnector({ name: 'db', query });
  const town = "Riga'; drop table rain; --";
  await used(db, (client) => client.execute`insert into rain values (${town}, ${5}, ${null})`);
  expect(await used(db, (client) => client.query`select mm from rain where town = ${town}`)).toEqual([{ mm: 5 }]);
  expect(await used(db, (client) => client.query`select town from rain where town in (${['Riga', 'Porto']}) order by mm`)).toEqual([
    { town: 'Riga' },
    { town: 'Porto' },
  ]);
  expect(await used(db, (client) => client.query`select note from rain where town = ${'Porto'}`)).toEqual([{ note: Uint8Array.of(255) }]);
  expect(await used(db, (client) => client.query`select * from nothing`)).toBe('connector-failed');
  expect(await used(db, (client) => client.query`select * from rain where town in (${[]})`)).toBe('connector-refused');
});

test('rows are shared and frozen, and a read is cached only where the author says for how long', async () => {
  const count = (cached: boolean) => sqlConnector({ name: 'db', query, ...(cached ? { cache: { ttlMs: 60_000 } } : {}) });
  for (const cached of [false, true]) {
    const db = count(cached);
    const rows = async () => ((await used(db, (client) => client.query`select count(*) as n from rain`)) as { readonly n: number }[])[0];
    const before = await rows();
    await used(db, (client) => client.execute`insert into rain values ('Oslo', 1, null)`);
    expect((await rows())?.n).toBe((before?.n ?? 0) + (cached ? 0 : 1));
    expect(Object.isFrozen(before)).toBe(true);
  }
});

test('a driver may count its parameters with $', async () => {
  const sent: (readonly [string, readonly SqlValue[]])[] = [];
  const db = sqlConnector({
    name: 'db',
    parameters: '$',
    query: (sql, params) => {
      sent.push([sql, params]);
      return [];
    },
  });
  await used(db, (client) => client.query`select ${1}, ${[2, 3]}, ${'$9'}`);
  expect(sent).toEqual([['select $1, $2, $3, $4', [1, 2, 3, '$9']]]);
});

test('a slow statement is stopped by its time-out and by the run; what the driver calls passing is tried again', async () => {
  const clock = manualClock();
  const stopped: unknown[] = [];
  const slow: SqlConnectorOptions['query'] = (sql, _, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        stopped.push(sql);
        reject(signal.reason);
      });
    });
  const db = sqlConnector({ name: 'db', clock, timeoutMs: 50, retry: { attempts: 1 }, query: slow });
  const late = used(db, (client) => client.query`select 1`);
  await clock.advance(50);
  expect(await late).toBe('timeout');
  const controller = new AbortController();
  const aborted = used(db, (client) => client.execute`select 2`, { signal: controller.signal });
  await settle();
  controller.abort();
  expect(await aborted).toBe('cancelled');
  await settle();
  expect([stopped, clock.waiting]).toEqual([['select 1', 'select 2'], 0]);

  let asked = 0;
  const busy: SqlConnectorOptions['query'] = () => {
    if (++asked < 3) throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' });
    return [{ asked }];
  };
  const patient = sqlConnector({ name: 'db', retry: { backoffMs: 1 }, query: busy, mayPass: (error) => (error as { code?: unknown }).code === 'SQLITE_BUSY' });
  expect(await used(patient, (client) => client.query`select 3`)).toEqual([{ asked: 3 }]);
  asked = 0;
  expect(await used(patient, (client) => client.execute`update x set y = 1`)).toBe('connector-failed');
  expect(asked).toBe(1);
});
