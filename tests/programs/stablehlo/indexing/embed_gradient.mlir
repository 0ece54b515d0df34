// tolerance: 1e-05
// in: draw 1 0 1 20
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -3.64199664 11.0813954 -24.9004201 9.45270521 12.4085898 -3.85999818 -11.1411503 -11.6674743 6.63195752 2.3730147 -3.45662007 -5.40757951 9.04186765 -8.94183245 -6.41547328 2.87721698
// cost: 35 instructions, 2145244 ticks
module {
  func.func public @main(%arg0: tensor<3x9xi32>, %arg1: tensor<3x9x16xf32>) -> (tensor<20x16xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x16xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x9x16xf32>
    %2 = stablehlo.multiply %arg1, %1 : tensor<3x9x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x9xi32>
    %4 = stablehlo.compare LT, %arg0, %3, SIGNED : (tensor<3x9xi32>, tensor<3x9xi32>) -> tensor<3x9xi1>
    %c_1 = stablehlo.constant dense<20> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3x9xi32>
    %6 = stablehlo.add %arg0, %5 : tensor<3x9xi32>
    %7 = stablehlo.select %4, %6, %arg0 : tensor<3x9xi1>, tensor<3x9xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<3x9xi32>) -> tensor<3x9x1xi32>
    %9 = "stablehlo.scatter"(%0, %8, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %10 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<20x16xf32>, tensor<3x9x1xi32>, tensor<3x9x16xf32>) -> tensor<20x16xf32>
    return %9 : tensor<20x16xf32>
  }
}
