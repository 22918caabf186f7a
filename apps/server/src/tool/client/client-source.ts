import type { ToolSource } from '../source.ts';

/** The functions of the visitor's page. It judges the arguments itself, and answers in words what is wrong with them. */
export const clientSource: ToolSource = {
  load: () =>
    Promise.resolve({
      forSession: ({ clientTools }) =>
        clientTools.map(({ name, description, parameters }) => ({
          name,
          description,
          parameters,
          executor: 'client',
          invalid: () => undefined,
        })),
      close: () => Promise.resolve(),
    }),
};
