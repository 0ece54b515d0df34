// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 3 39 3 3 17
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 0.355251767 5.22368386 -5.37090365 -2.02263318 8.52660222 -2.4195371 2.17411439 -9.46575673 -5.70152187 0.724922121 -3.44381979 -2.26552862 -0.156996313 -1.64091387 2.12578141 -1.8583308
// cost: 33 instructions, 1536097 ticks
module {
  func.func public @main(%arg0: tensor<40x10xf32>, %arg1: tensor<5xi32>, %arg2: tensor<5x10xf32>) -> (tensor<40x10xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_0 = stablehlo.constant dense<40> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<5xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<5xi1>, tensor<5xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %7 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<40x10xf32>, tensor<5x1xi32>, tensor<5x10xf32>) -> tensor<40x10xf32>
    return %6 : tensor<40x10xf32>
  }
}
