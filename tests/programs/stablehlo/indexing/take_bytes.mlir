// in: draw 1 -20 1 41
// in: 3 29 0 3
// out: -10 20 -8 11 -15 18 3 -5 -4 1 -9 18 -1 -13 -7 8 -16 -12 -4 2 -11 4 -9 2 -10 20 -8 11 -15 18 3 -5
// cost: 11 instructions, 1525236 ticks
module {
  func.func public @main(%arg0: tensor<30x8xi8>, %arg1: tensor<4xui8>) -> (tensor<4x8xi8>) {
    %0 = stablehlo.convert %arg1 : (tensor<4xui8>) -> tensor<4xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<30x8xi8>, tensor<4x1xi32>) -> tensor<4x8xi8>
    return %2 : tensor<4x8xi8>
  }
}
