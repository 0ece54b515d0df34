// tolerance: 1e-05
// routines: scatter
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 0 0 5 7 9 11
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 1.65379938 8.42225794 -1.60724113 -1.76223111 0.559341632 1.26817806 0.103620287 -2.31830092 3.00666111 -3.69416021 -1.89416714 -2.5213849 4.42100812 -0.951968361 2.07772543 0.147918139
// cost: 0 instructions, 21280 ticks
module {
  func.func public @main(%arg0: tensor<12x15xf32>, %arg1: tensor<3x2xi32>, %arg2: tensor<3x3x4xf32>) -> (tensor<12x15xf32>) {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<12x15xf32>, tensor<3x2xi32>, tensor<3x3x4xf32>) -> tensor<12x15xf32>
    return %0 : tensor<12x15xf32>
  }
}
