// tolerance: 0.0001
// in: draw 1 0 1 30
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 8.72156847 3.79111425 -5.82747995 -3.23184007 -5.46528422 -5.01289893 -7.3297912 5.92210648 3.67895002 -12.3344416 -0.930127062 0.77230645 11.5520641 4.96210225 -7.43661235 -12.2856192
// cost: 36 instructions, 1994360 ticks
module {
  func.func public @main(%arg0: tensor<200xi32>, %arg1: tensor<200x8xf32>) -> (tensor<30x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<30x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<200xi32>
    %2 = stablehlo.compare LT, %arg0, %1, SIGNED : (tensor<200xi32>, tensor<200xi32>) -> tensor<200xi1>
    %c_0 = stablehlo.constant dense<30> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<200xi32>
    %4 = stablehlo.add %arg0, %3 : tensor<200xi32>
    %5 = stablehlo.select %2, %4, %arg0 : tensor<200xi1>, tensor<200xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<200xi32>) -> tensor<200x1xi32>
    %7 = "stablehlo.scatter"(%0, %6, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<30x8xf32>, tensor<200x1xi32>, tensor<200x8xf32>) -> tensor<30x8xf32>
    return %7 : tensor<30x8xf32>
  }
}
