import { AliasNode, IdentifierNode, type OperationNode, RawNode, type SelectionNode } from 'kysely';

type Selecting = {
  selections?: readonly SelectionNode[];
  returning?: { selections: readonly SelectionNode[] };
};

export function selectedValues(query: OperationNode): { template: readonly string[]; value: string }[] {
  const { selections, returning } = query as Selecting;
  return [...(selections ?? []), ...(returning?.selections ?? [])].flatMap(({ selection }) => {
    if (!AliasNode.is(selection) || !IdentifierNode.is(selection.alias)) return [];
    const template = templateOf(selection.node);
    return template ? [{ template, value: selection.alias.name }] : [];
  });
}

function templateOf(node: OperationNode): readonly string[] | undefined {
  if (RawNode.is(node)) return node.sqlFragments;
  const [only, ...others] = (node as Selecting).selections ?? [];
  if (!only || others.length > 0 || !AliasNode.is(only.selection)) return undefined;
  return templateOf(only.selection.node);
}
