// The figures that the GraphBit paper prints, as facts with their source. They stand beside our rows only where method M9.3 allows it, and nothing here is ever computed with.
// They contradict each other in places (tables 1 and 2 against 4 and 6; CrewAI's 44.9 % is k/68 for no k), so no verdict may rest on them.

export const PUBLISHED_SOURCE = 'GraphBit: A Graph-based Agentic Framework for Non-Linear Agent Orchestration (figures as printed)';

/** Table → row key → column id → figure as printed. A row key is the paper's name, or name and part joined by a slash. */
type PublishedTable = Readonly<Record<string, Readonly<Record<string, number>>>>;

const table1: PublishedTable = named(['accuracyPercent', 'notRepairedPercent', 'overheadMs', 'cpuPercent', 'peakMemoryMb'], {
  LangChain: [38.2, 41.2, 36.1, 24.7, 234.4],
  LangGraph: [36.8, 47.1, 31.5, 26.1, 208.0],
  CrewAI: [44.9, 14.3, 31.0, 30.7, 202.2],
  AutoGen: [35.3, 33.8, 70.0, 27.0, 274.8],
  'Pydantic AI': [52.9, 0.0, 18.3, 24.2, 166.5],
  LlamaIndex: [50.0, 0.0, 15.0, 25.2, 165.4],
  GraphBit: [67.6, 0.0, 11.9, 21.1, 126.1],
});

const table2: PublishedTable = byPart(['zero-tool', 'document', 'web'], ['accuracyPercent', 'notRepairedPercent'], {
  LangChain: [57.1, 0.0, 57.9, 15.8, 26.2, 59.5],
  LangGraph: [57.1, 0.0, 63.2, 15.8, 21.4, 69.0],
  CrewAI: [28.6, 0.0, 52.6, 0.0, 47.6, 16.7],
  AutoGen: [28.6, 0.0, 42.1, 42.1, 33.3, 35.7],
  'Pydantic AI': [28.6, 0.0, 57.9, 0.0, 54.8, 0.0],
  LlamaIndex: [57.1, 0.0, 68.4, 0.0, 40.5, 0.0],
  GraphBit: [57.1, 0.0, 68.4, 0.0, 69.0, 0.0],
});

const TABLE_3 = ['accuracyPercent', 'peakMemoryMb'];
const table3: PublishedTable = {
  ...named(TABLE_3, { GraphBit: [67.6, 126.1] }, 'full'),
  ...named(TABLE_3, { GraphBit: [64.7, 189.2] }, 'without-scratch'),
  ...named(TABLE_3, { GraphBit: [57.4, 138.7] }, 'without-structured-state'),
  ...named(TABLE_3, { GraphBit: [60.3, 130.4] }, 'without-connectors'),
  ...named(TABLE_3, { GraphBit: [52.9, 247.8] }, 'single-tier'),
};

const table4: PublishedTable = byPart(['1', '2', '3'], ['accuracyPercent'], {
  LangChain: [41.4, 33.3, 33.3],
  LangGraph: [48.3, 27.8, 0.0],
  CrewAI: [51.7, 63.9, 66.7],
  AutoGen: [58.6, 38.9, 0.0],
  'Pydantic AI': [62.1, 63.9, 66.7],
  LlamaIndex: [62.1, 44.4, 66.7],
  GraphBit: [79.3, 63.9, 66.7],
});

const table5: PublishedTable = byPart(['zero-tool', 'document', 'web', 'overall'], ['notRepairedPercent'], {
  LangChain: [0.0, 15.8, 59.5, 41.2],
  LangGraph: [0.0, 15.8, 69.0, 47.1],
  CrewAI: [0.0, 0.0, 16.7, 14.3],
  AutoGen: [0.0, 42.1, 35.7, 33.8],
  'Pydantic AI': [0.0, 0.0, 0.0, 0.0],
  LlamaIndex: [0.0, 0.0, 0.0, 0.0],
  GraphBit: [0.0, 0.0, 0.0, 0.0],
});

const TABLE_6 = ['overheadMs', 'cpuPercent', 'peakMemoryMb', 'perMinute'];
const table6: PublishedTable = {
  ...named(
    TABLE_6,
    {
      GraphBit: [6.0, 15.2, 34.9, 10000],
      LangChain: [7.6, 18.2, 86.7, 7887],
      CrewAI: [9.4, 17.3, 58.1, 6353],
      LlamaIndex: [11.2, 20.3, 114.6, 5361],
      'Pydantic AI': [12.0, 19.0, 186.2, 5002],
      LangGraph: [16.9, 18.3, 106.2, 3550],
      AutoGen: [23.4, 19.3, 47.0, 2562],
    },
    'zero-tool',
  ),
  ...named(
    TABLE_6,
    {
      GraphBit: [10.8, 24.7, 105.5, 5543],
      LlamaIndex: [15.3, 29.6, 160.9, 3926],
      CrewAI: [16.1, 26.4, 151.5, 3728],
      'Pydantic AI': [16.3, 26.5, 135.5, 3691],
      LangChain: [41.8, 30.1, 200.5, 1435],
      LangGraph: [46.3, 33.7, 199.6, 1295],
      AutoGen: [159.1, 32.7, 171.3, 377],
    },
    'document',
  ),
  ...named(
    TABLE_6,
    {
      GraphBit: [13.4, 20.5, 150.5, 4466],
      LlamaIndex: [15.5, 24.0, 175.9, 3868],
      'Pydantic AI': [20.4, 24.1, 177.3, 2948],
      LangGraph: [27.3, 24.0, 228.8, 2201],
      CrewAI: [34.6, 32.9, 226.2, 1736],
      AutoGen: [37.5, 25.7, 359.7, 1599],
      LangChain: [38.3, 23.4, 274.4, 1567],
    },
    'web',
  ),
};

const table8: PublishedTable = named(['promptTokens', 'completionTokens', 'totalTokens', 'tokensPerSecond'], {
  GraphBit: [1735, 181, 1916, 12.9],
  'Pydantic AI': [6004, 273, 6276, 17.0],
  CrewAI: [11306, 2332, 13638, 33.2],
  LangChain: [253, 176, 180, 35.9],
  LangGraph: [237, 111, 174, 31.6],
});

const table9: PublishedTable = named(['meanSeconds', 'medianSeconds', 'p95Seconds', 'stdSeconds', 'maxSeconds'], {
  LlamaIndex: [27.9, 24.5, 70.5, 23.4, 95.1],
  LangGraph: [27.4, 17.3, 73.9, 25.2, 84.9],
  GraphBit: [35.3, 28.8, 115.7, 34.8, 140.0],
  'Pydantic AI': [38.7, 29.5, 101.8, 39.7, 213.8],
  LangChain: [45.1, 37.5, 119.8, 42.4, 168.1],
  AutoGen: [54.9, 53.1, 142.6, 49.2, 175.0],
  CrewAI: [75.8, 50.7, 217.5, 80.8, 347.0],
});

const table10: PublishedTable = named(['importMs', 'setupMs'], {
  GraphBit: [2400, 0.1],
  LangChain: [3200, 0.9],
  LangGraph: [2600, 0.9],
  LlamaIndex: [2900, 0.2],
  'Pydantic AI': [2100, 1.2],
  AutoGen: [3700, 23.6],
  CrewAI: [5700, 0.1],
});

const TABLES: Readonly<Record<string, PublishedTable>> = { table1, table2, table3, table4, table5, table6, table8, table9, table10 };

/** The figure as printed, or `undefined` where the paper prints none. `part` is a task type, `overall`, a level, or a configuration of the ablation. */
export function publishedFigure(table: string, name: string, column: string, part?: string): number | undefined {
  return TABLES[table]?.[part === undefined ? name : `${name}/${part}`]?.[column];
}

function named(columns: readonly string[], rows: Readonly<Record<string, readonly number[]>>, part?: string): PublishedTable {
  const table: Record<string, Record<string, number>> = {};
  for (const [name, figures] of Object.entries(rows)) {
    const cells: Record<string, number> = {};
    for (const [index, column] of columns.entries()) {
      const figure = figures[index];
      if (figure !== undefined) cells[column] = figure;
    }
    table[part === undefined ? name : `${name}/${part}`] = cells;
  }
  return table;
}

/** Figures laid out part by part, each part with all its columns. */
function byPart(parts: readonly string[], columns: readonly string[], rows: Readonly<Record<string, readonly number[]>>): PublishedTable {
  let table: PublishedTable = {};
  for (const [index, part] of parts.entries()) {
    const slices = Object.entries(rows).map(([name, figures]) => [name, figures.slice(index * columns.length, (index + 1) * columns.length)] as const);
    table = { ...table, ...named(columns, Object.fromEntries(slices), part) };
  }
  return table;
}
