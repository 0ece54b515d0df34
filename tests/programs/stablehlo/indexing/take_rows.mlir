// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 50
// out: hash ce5abd63f21c2feb
// cost: 17 instructions, 1645622 ticks
module {
  func.func public @main(%arg0: tensor<50x20xf32>, %arg1: tensor<33xi32>) -> (tensor<33x20xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<33xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<33xi32>, tensor<33xi32>) -> tensor<33xi1>
    %c_0 = stablehlo.constant dense<50> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<33xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<33xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<33xi1>, tensor<33xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<33xi32>) -> tensor<33x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 20>}> : (tensor<50x20xf32>, tensor<33x1xi32>) -> tensor<33x20xf32>
    return %6 : tensor<33x20xf32>
  }
}
