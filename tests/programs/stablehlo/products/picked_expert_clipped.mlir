// tolerance: 2e-05
// in: 2 0 1 1 3 2
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 24.7166589 -17.6919705 -14.9514062 5.26048088 -9.36308913 12.1641644 8.73340779 -33.0265753 12.8055702 -12.6211946 5.53968109 -6.18379857 -8.73327554 -21.066825 9.3044482 -24.7658109
// cost: 26 instructions, 3102772 ticks
module {
  func.func public @main(%arg0: tensor<6xi32>, %arg1: tensor<6x64xf32>, %arg2: tensor<4x64x48xf32>) -> (tensor<6x48xf32>) {
    %0 = call @_take(%arg2, %arg0) : (tensor<4x64x48xf32>, tensor<6xi32>) -> tensor<6x64x48xf32>
    %1 = stablehlo.dot_general %arg1, %0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x64xf32>, tensor<6x64x48xf32>) -> tensor<6x48xf32>
    return %1 : tensor<6x48xf32>
  }
  func.func private @_take(%arg0: tensor<4x64x48xf32>, %arg1: tensor<6xi32>) -> tensor<6x64x48xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64, 48>}> : (tensor<4x64x48xf32>, tensor<6x1xi32>) -> tensor<6x64x48xf32>
    return %1 : tensor<6x64x48xf32>
  }
}
