//! The file of weights, as Burn writes it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::artifact::ArtifactError;

/// The tensors of a weights file in Burn's burnpack format: a head of ten bytes, a map of tensors
/// in CBOR, and the values from the next multiple of 256 bytes on, all little-endian.
pub(super) struct Weights<'a> {
    tensors: BTreeMap<String, TensorEntry>,
    values: &'a [u8],
}

#[derive(Deserialize)]
struct Head {
    tensors: BTreeMap<String, TensorEntry>,
}

#[derive(Deserialize)]
struct TensorEntry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Weights<'_> {
    /// Returns the tensors of this file; `None` if it is damaged.
    pub(super) fn read(file: &[u8]) -> Option<Weights<'_>> {
        let (magic, rest) = file.split_first_chunk()?;
        let (version, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let is_known =
            u32::from_le_bytes(*magic) == 0x4255_524e && u16::from_le_bytes(*version) == 1;
        let length = u32::from_le_bytes(*length) as usize;
        let head: Head = ciborium::from_reader(rest.get(..length)?).ok()?;
        let start = (file.len() - rest.len() + length).next_multiple_of(256);
        is_known.then_some(Weights {
            tensors: head.tensors,
            values: file.get(start..)?,
        })
    }

    /// Returns the values of a tensor, if it has this shape.
    ///
    /// # Errors
    ///
    /// [`ArtifactError::Weights`], also where a value is no number.
    pub(super) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ArtifactError> {
        let values = || {
            let entry = self.tensors.get(name)?;
            let (start, end) = entry.data_offsets;
            let bytes = self.values.get(start..end)?;
            let (values, rest) = bytes.as_chunks::<4>();
            let fits = entry.dtype == "F32"
                && entry.shape == shape
                && rest.is_empty()
                && values.len() == shape.iter().product::<usize>();
            fits.then(|| {
                values
                    .iter()
                    .map(|bytes| f32::from_le_bytes(*bytes))
                    .collect()
            })
        };
        let message = || format!("there is no tensor `{name}` of the shape {shape:?}");
        let values: Vec<f32> = values().ok_or_else(|| ArtifactError::Weights(message()))?;
        match values.iter().all(|value| value.is_finite()) {
            true => Ok(values),
            false => Err(ArtifactError::Weights(
                "not all of them are numbers".to_owned(),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::Artifact;

    #[test]
    fn a_damaged_file_is_refused() {
        let whole = &Artifact::built_in().unwrap().weights;
        let bias = |weights: &Weights<'_>| weights.tensor("output.bias", &[10]);
        assert!(bias(&Weights::read(whole).unwrap()).is_ok());
        for length in [0, 9, 10, 200, 1000] {
            assert!(Weights::read(&whole[..length]).is_none(), "{length}");
        }
        let cut = Weights::read(&whole[..whole.len() / 2]).unwrap();
        assert!(cut.tensor("hidden.weight", &[1280, 64]).is_err());
        let whole = Weights::read(whole).unwrap();
        assert!(whole.tensor("hidden.weight", &[64, 1280]).is_err());
        assert!(whole.tensor("none", &[1]).is_err());
    }
}
