import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type RawNode,
  type RootOperationNode,
  type SelectQueryNode,
} from 'kysely';

class LockRemover extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const { endModifiers: _, ...rest } = super.transformSelectQuery(node);
    return rest;
  }
  protected override transformRaw(node: RawNode): RawNode {
    const raw = super.transformRaw(node);
    return {
      ...raw,
      sqlFragments: raw.sqlFragments.map((text) =>
        text.replace(/\bfor (no key update|key share|share|update)( of \w+)?( skip locked)?\b/g, ''),
      ),
    };
  }
}

/** The negative control of a race: no row is locked by reading it. */
export const withoutLocks: KyselyPlugin = {
  transformQuery: ({ node }: PluginTransformQueryArgs): RootOperationNode =>
    new LockRemover().transformNode(node),
  transformResult: async ({ result }) => result,
};
