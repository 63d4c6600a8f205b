//! Queries on parsed items that several rules share.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Meta, Token};

/// Whether an item with these attributes is compiled for tests only.
pub(super) fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .any(|attribute| attribute.parse_args::<Meta>().is_ok_and(|condition| needs_tests(&condition)))
}

fn needs_tests(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test") || path.is_ident("doctest"),
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .is_ok_and(|conditions| conditions.iter().any(needs_tests)),
        _ => false,
    }
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// A type that an item declares.
pub(super) struct DeclaredType {
    pub(super) name: String,
    pub(super) is_public: bool,
    pub(super) line: usize,
}

impl DeclaredType {
    fn new(name: &Ident, is_public: bool) -> Self {
        Self { name: name.to_string(), is_public, line: line(name.span()) }
    }
}

/// The types that an item declares: one, or several in a macro call that is written like a declaration.
///
/// A type whose declaration is only in the definition of a macro is not found.
pub(super) fn declared_types(item: &Item) -> Vec<DeclaredType> {
    let (name, visibility) = match item {
        Item::Enum(item) => (&item.ident, &item.vis),
        Item::Struct(item) => (&item.ident, &item.vis),
        Item::Trait(item) => (&item.ident, &item.vis),
        Item::Type(item) => (&item.ident, &item.vis),
        Item::Union(item) => (&item.ident, &item.vis),
        // A macro definition has a name; a macro call has none.
        Item::Macro(item) if item.ident.is_none() => return declared_in_tokens(item.mac.tokens.clone()),
        _ => return Vec::new(),
    };
    vec![DeclaredType::new(name, matches!(visibility, syn::Visibility::Public(_)))]
}

fn declared_in_tokens(tokens: TokenStream) -> Vec<DeclaredType> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let declared = |at: usize| {
        let [TokenTree::Ident(keyword), TokenTree::Ident(name)] = tokens.get(at..at + 2)? else { return None };
        let declares = ["enum", "struct", "trait", "type", "union"].iter().any(|word| keyword == word);
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_public = matches!(before, Some(TokenTree::Ident(word)) if word == "pub");
        declares.then(|| DeclaredType::new(name, is_public))
    };
    (0..tokens.len()).filter_map(declared).collect()
}

/// Every path of two or more names in the arguments of a macro call, with its line.
pub(super) fn paths_in_tokens(tokens: TokenStream, found: &mut Vec<(Vec<String>, usize)>) {
    let mut path: Vec<String> = Vec::new();
    let mut start = 0;
    let mut colons = 0;
    let mut finish = |path: &mut Vec<String>, start: usize| {
        let path = std::mem::take(path);
        if path.len() > 1 {
            found.push((path, start));
        }
    };
    let mut inner = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ':' => {
                colons += 1;
                continue;
            }
            TokenTree::Ident(name) => {
                if colons != 2 || path.is_empty() {
                    finish(&mut path, start);
                    start = line(name.span());
                }
                path.push(name.to_string());
            }
            TokenTree::Group(group) => {
                finish(&mut path, start);
                if group.delimiter() != Delimiter::None || !group.stream().is_empty() {
                    inner.push(group.stream());
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => finish(&mut path, start),
        }
        colons = 0;
    }
    finish(&mut path, start);
    for tokens in inner {
        paths_in_tokens(tokens, found);
    }
}

pub(super) fn line(span: Span) -> usize {
    span.start().line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(text: &str) -> Item {
        syn::parse_str(text).expect("the test's item is Rust")
    }

    #[test]
    fn an_item_is_test_only_if_it_is_never_compiled_without_tests() {
        for text in ["#[cfg(test)] mod x;", "#[cfg(all(test, unix))] mod x;", "#[cfg(doctest)] struct X;"] {
            assert!(is_test_only(attributes(&item(text))), "{text}");
        }
        for text in ["mod x;", "#[cfg(any(test, unix))] mod x;", "#[cfg(not(test))] mod x;", "#[test] fn x() {}"] {
            assert!(!is_test_only(attributes(&item(text))), "{text}");
        }
    }

    #[test]
    fn a_type_declaration_in_a_macro_call_is_found() {
        let call = item("closed_set! { #[derive(Default)] pub enum Status (\"status\") { Pending = \"pending\" } }");
        let declared = declared_types(&call);
        assert_eq!(declared.len(), 1);
        assert_eq!((declared[0].name.as_str(), declared[0].is_public), ("Status", true));

        let definition = item("macro_rules! set { ($Name:ident) => { pub enum Hidden {} }; }");
        assert!(declared_types(&definition).is_empty());
    }

    #[test]
    fn paths_in_a_macro_call_are_found_at_any_depth() {
        let tokens = "x = ?crate::state::State, (super::wire::read(a::b), c) label: Name".parse().expect("tokens");
        let mut found = Vec::new();
        paths_in_tokens(tokens, &mut found);
        let paths: Vec<String> = found.into_iter().map(|(path, _)| path.join("::")).collect();
        assert_eq!(paths, ["crate::state::State", "super::wire::read", "a::b"]);
    }
}
