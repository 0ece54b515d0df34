// tolerance: 2e-05
// in: 2 0 1 1
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -5.17768714 5.52610791 -0.176683265 -7.13247672 -11.173842 -1.77808334 -7.33082809 0 4.1095485 -2.45720188 15.5673586 0.572826377 0.214268195 2.08853344 -5.80548718 2.94913703
// cost: 30 instructions, 2402578 ticks
module {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<4x30xf32>, %arg2: tensor<3x30x20xf32>) -> (tensor<4x20xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare LT, %arg0, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg0, %2 : tensor<4xi32>
    %4 = stablehlo.select %1, %3, %arg0 : tensor<4xi1>, tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %6 = "stablehlo.gather"(%arg2, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 30, 20>}> : (tensor<3x30x20xf32>, tensor<4x1xi32>) -> tensor<4x30x20xf32>
    %7 = stablehlo.dot_general %arg1, %6, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x30xf32>, tensor<4x30x20xf32>) -> tensor<4x20xf32>
    return %7 : tensor<4x20xf32>
  }
}
