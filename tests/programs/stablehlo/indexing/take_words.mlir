// in: draw 1 0 1 4294967296
// in: draw 1 0 1 30
// out: hash ef2462621ec34e4c
// cost: 17 instructions, 1622490 ticks
module {
  func.func public @main(%arg0: tensor<30x5xui32>, %arg1: tensor<20xi32>) -> (tensor<20x5xui32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %c_0 = stablehlo.constant dense<30> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<20xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<20xi1>, tensor<20xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<20xi32>) -> tensor<20x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>}> : (tensor<30x5xui32>, tensor<20x1xi32>) -> tensor<20x5xui32>
    return %6 : tensor<20x5xui32>
  }
}
