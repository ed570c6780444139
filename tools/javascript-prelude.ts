// JavaScript that runs in the sandbox before the program: `console`, timers without waiting, and errors that say what there is in place of what is missing.
// It is text, not a module of ours: nothing outside the sandbox runs it. `show` writes a value much as Node's console does.

/** Evaluates to a function of two host functions; that returns what the machine needs afterwards. */
export const PRELUDE = String.raw`(print, readText) => {
  const quote = (text) => "'" + text.replace(/\\/g, '\\\\').replace(/'/g, "\\'").replace(/\n/g, '\\n') + "'";
  const MOST = 200;
  const show = (value, above = []) => {
    switch (typeof value) {
      case 'string': return above.length === 0 ? value : quote(value);
      case 'bigint': return value + 'n';
      case 'symbol': return String(value);
      case 'function': return '[Function ' + (value.name || '(anonymous)') + ']';
      case 'object': return value === null ? 'null' : showObject(value, above);
      default: return Object.is(value, -0) ? '-0' : String(value);
    }
  };
  const showObject = (value, above) => {
    if (value instanceof Error) return (value.stack ? value + '\n' + value.stack : String(value)).trimEnd();
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof RegExp) return String(value);
    if (value instanceof Promise) return 'Promise {}';
    if (above.includes(value)) return '[Circular]';
    const within = [...above, value];
    const isList = Array.isArray(value) || ArrayBuffer.isView(value);
    if (within.length > 6) return isList ? '[Array]' : '[Object]';
    const name = value.constructor && value.constructor.name;
    const wrap = (prefix, open, parts, close, more) => {
      const kept = more > 0 ? [...parts, '… ' + more + ' more'] : parts;
      return prefix + (kept.length === 0 ? open + close : open + ' ' + kept.join(', ') + ' ' + close);
    };
    if (isList) {
      const parts = Array.from(Array.prototype.slice.call(value, 0, MOST), (entry) => show(entry, within));
      return wrap(Array.isArray(value) ? '' : name + '(' + value.length + ') ', '[', parts, ']', value.length - MOST);
    }
    if (value instanceof Map) {
      const parts = [...value].slice(0, MOST).map(([key, entry]) => show(key, within) + ' => ' + show(entry, within));
      return wrap('Map(' + value.size + ') ', '{', parts, '}', value.size - MOST);
    }
    if (value instanceof Set) return wrap('Set(' + value.size + ') ', '{', [...value].slice(0, MOST).map((entry) => show(entry, within)), '}', value.size - MOST);
    const keys = Object.keys(value);
    const parts = keys.slice(0, MOST).map((key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)) + ': ' + show(value[key], within));
    return wrap(name && name !== 'Object' ? name + ' ' : '', '{', parts, '}', keys.length - MOST);
  };
  const format = (first, ...rest) => {
    let text = first;
    if (typeof first === 'string') {
      text = first.replace(/%[sdifjoOc%]/g, (mark) => {
        if (mark === '%%') return '%';
        if (rest.length === 0) return mark;
        const value = rest.shift();
        if (mark === '%c') return '';
        if (mark === '%j') return JSON.stringify(value);
        if (mark === '%d' || mark === '%f') return String(Number(value));
        if (mark === '%i') return String(Math.trunc(Number(value)));
        return show(value, mark === '%s' ? [] : [0]);
      });
    }
    return [text, ...rest].map((value) => show(value)).join(' ');
  };
  const log = (...values) => print(values.length === 0 ? '' : format(...values));
  globalThis.console = { log, info: log, warn: log, error: log, debug: log, table: log, dir: (value) => log(value) };
  globalThis.readText = readText;

  // Timers run in the order of their times, once nothing else is left to do; nobody waits.
  let timers = [];
  let count = 0;
  let clock = 0;
  globalThis.setTimeout = (run, delay = 0, ...given) => {
    const timer = { id: ++count, at: clock + Math.max(1, Number(delay) || 0), run, given };
    timers.push(timer);
    return timer.id;
  };
  globalThis.setInterval = (run, delay = 0, ...given) => {
    const again = () => {
      timers.push({ id, at: clock + Math.max(1, Number(delay) || 0), run: again, given: [] });
      run(...given);
    };
    const id = globalThis.setTimeout(again, delay);
    return id;
  };
  globalThis.clearTimeout = globalThis.clearInterval = (id) => {
    timers = timers.filter((timer) => timer.id !== id);
  };
  const nextTimer = () => {
    if (timers.length === 0) return false;
    const next = timers.reduce((a, b) => (b.at < a.at ? b : a));
    timers.splice(timers.indexOf(next), 1);
    clock = next.at;
    next.run(...next.given);
    return true;
  };

  const missing = (name, instead) => {
    globalThis[name] = () => {
      throw new Error(name + ' does not exist here: ' + instead);
    };
  };
  missing('require', 'there are no modules. readText(name) gives the text of a file of this task.');
  missing('fetch', 'programs reach no network.');
  missing('XMLHttpRequest', 'programs reach no network.');
  return { show, nextTimer };
}`;
