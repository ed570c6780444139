// What a worker's process inherits: little, and nothing that could carry a key or switch something on. Pure, so that the host's own environment is one argument.

/** Heap flags that every Node worker gets: V8's semi-space size decides most of a small process's resident memory, so it is fixed rather than left to the host. */
export const WORKER_FLAGS: readonly string[] = ['--max-semi-space-size=16', '--max-old-space-size=512'];

/** Telemetry of the frameworks, off by the switches that they document. */
const TELEMETRY_OFF: Readonly<Record<string, string>> = {
  LANGSMITH_TRACING: 'false',
  LANGCHAIN_TRACING_V2: 'false',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  OTEL_SDK_DISABLED: 'true',
  DO_NOT_TRACK: '1',
};

/**
 * What every Python worker gets besides: the host's own seed of string hashes would decide the order in which a framework walks a set, and a proxy of its own
 * making would take even loopback away. `-B`: packages were compiled when they were installed, and nothing is written beside our files.
 */
export const PYTHON_FLAGS: readonly string[] = ['-B', '-s'];
const PYTHON_ONLY: Readonly<Record<string, string>> = {
  PYTHONHASHSEED: '0',
  NO_PROXY: '127.0.0.1',
  HF_HUB_OFFLINE: '1',
  HF_HUB_DISABLE_TELEMETRY: '1',
  CREWAI_DISABLE_TELEMETRY: 'true',
  CREWAI_DISABLE_VERSION_CHECK: 'true',
  CREWAI_TRACING_ENABLED: 'false',
};

/** Taken over from the host as they are. */
const INHERITED = ['PATH', 'LD_LIBRARY_PATH'] as const;

/**
 * @param hostEnv the host's environment, of which only an allow-list passes
 * @param folder an existing folder of the worker's own: home, temporary files and caches go there
 */
export function workerEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>>,
  folder: string,
  language: 'node' | 'python' = 'node',
): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => (hostEnv[name] === undefined ? [] : [[name, hostEnv[name]] as const]));
  return {
    ...Object.fromEntries(inherited),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    HOME: folder,
    TMPDIR: folder,
    XDG_CACHE_HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_STATE_HOME: folder,
    ...TELEMETRY_OFF,
    ...(language === 'python' ? { ...PYTHON_ONLY, CREWAI_STORAGE_DIR: folder } : { NODE_ENV: 'production' }),
  };
}
