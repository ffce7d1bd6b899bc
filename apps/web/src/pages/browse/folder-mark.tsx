import { Tile } from '../../components/entity/tile';
import { Icon } from '../../components/icon/icon';
import { useCard } from '../../data/use-card';
import { isUrn } from '../../data/urns';

/** Tells folders of the same name apart: a container has the tile of its platform, a mere name has none. */
export function FolderMark({ name }: { readonly name: string }) {
  return isUrn(name) ? <ContainerMark urn={name} /> : <Icon name="folder" size={18} />;
}

function ContainerMark({ urn }: { readonly urn: string }) {
  const { type, platform } = useCard(urn);
  return <Tile type={type} platform={platform} size="small" />;
}

/** "Database" of a container. */
export function FolderKind({ name }: { readonly name: string }) {
  return isUrn(name) ? <ContainerKind urn={name} /> : 'Folder';
}

function ContainerKind({ urn }: { readonly urn: string }) {
  return useCard(urn).kind;
}
