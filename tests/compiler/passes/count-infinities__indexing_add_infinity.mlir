// tolerance: 0
// in: draw 13 0 1 4
module @module {
  func.func public @main(%0: tensor<40xi32>) -> (tensor<4xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<4xf32>)
    %3 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40xi32>)
    %5 = "stablehlo.compare"(%0, %4) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi1>)
    %6 = "stablehlo.constant"() <{value = dense<"0x0000807F"> : tensor<f32>}> : () -> (tensor<f32>)
    %7 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %22 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %23 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %24 = "stablehlo.select"(%5, %22, %23) : (tensor<40xi1>, tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>)
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40xi32>)
    %11 = "stablehlo.compare"(%0, %10) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi1>)
    %12 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> (tensor<i32>)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40xi32>)
    %14 = "stablehlo.add"(%0, %13) : (tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi32>)
    %15 = "stablehlo.select"(%11, %14, %0) : (tensor<40xi1>, tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi32>)
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xi32>) -> (tensor<40x1xi32>)
    %17 = "stablehlo.convert"(%24) : (tensor<40xf32>) -> (tensor<40xf32>)
    %18 = "stablehlo.scatter"(%2, %16, %17) <{index_vector_dim = 1 : i64, indices_are_sorted = false, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, unique_indices = false, update_window_dims = array<i64>}> ({
    ^bb0(%19: tensor<f32>, %20: tensor<f32>):
      %21 = "stablehlo.add"(%19, %20) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%21) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<40x1xi32>, tensor<40xf32>) -> (tensor<4xf32>)
    "stablehlo.return"(%18) : (tensor<4xf32>) -> ()
  }
  func.func private @_where(%0: tensor<40xi1>, %1: tensor<f32>, %2: tensor<f32>) -> (tensor<40xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %5 = "stablehlo.select"(%0, %3, %4) : (tensor<40xi1>, tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>)
    "stablehlo.return"(%5) : (tensor<40xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<40xi32>) -> (tensor<4xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<4xf32>)
    %3 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40xi32>)
    %5 = "stablehlo.compare"(%0, %4) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi1>)
    %6 = "stablehlo.constant"() <{value = dense<"0x0000807F"> : tensor<f32>}> : () -> (tensor<f32>)
    %7 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %10 = "stablehlo.select"(%5, %8, %9) : (tensor<40xi1>, tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>)
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40xi32>)
    %13 = "stablehlo.compare"(%0, %12) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi1>)
    %14 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> (tensor<i32>)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40xi32>)
    %16 = "stablehlo.add"(%0, %15) : (tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi32>)
    %17 = "stablehlo.select"(%13, %16, %0) : (tensor<40xi1>, tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi32>)
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xi32>) -> (tensor<40x1xi32>)
    %19 = "stablehlo.convert"(%10) : (tensor<40xf32>) -> (tensor<40xf32>)
    %24 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %26 = "stablehlo.constant"() <{value = dense<"0x0000807F"> : tensor<f32>}> : () -> (tensor<f32>)
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %28 = "stablehlo.compare"(%19, %27) <{compare_type = "FLOAT", comparison_direction = "EQ"}> : (tensor<40xf32>, tensor<40xf32>) -> (tensor<40xi1>)
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %31 = "stablehlo.select"(%28, %30, %25) : (tensor<40xi1>, tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>)
    %32 = "stablehlo.select"(%28, %25, %19) : (tensor<40xi1>, tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>)
    %33 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<4xf32>)
    %38 = "stablehlo.scatter"(%2, %18, %32) <{index_vector_dim = 1 : i64, indices_are_sorted = false, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, unique_indices = false, update_window_dims = array<i64>}> ({
    ^bb0(%35: tensor<f32>, %36: tensor<f32>):
      %37 = "stablehlo.add"(%35, %36) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%37) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<40x1xi32>, tensor<40xf32>) -> (tensor<4xf32>)
    %42 = "stablehlo.scatter"(%34, %18, %31) <{index_vector_dim = 1 : i64, indices_are_sorted = false, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, unique_indices = false, update_window_dims = array<i64>}> ({
    ^bb0(%39: tensor<f32>, %40: tensor<f32>):
      %41 = "stablehlo.add"(%39, %40) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<40x1xi32>, tensor<40xf32>) -> (tensor<4xf32>)
    %43 = "stablehlo.compare"(%42, %34) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xi1>)
    %44 = "stablehlo.constant"() <{value = dense<"0x0000807F"> : tensor<f32>}> : () -> (tensor<f32>)
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<4xf32>)
    %46 = "stablehlo.add"(%38, %45) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %20 = "stablehlo.select"(%43, %46, %38) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    "stablehlo.return"(%20) : (tensor<4xf32>) -> ()
  }
  func.func private @_where(%0: tensor<40xi1>, %1: tensor<f32>, %2: tensor<f32>) -> (tensor<40xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %5 = "stablehlo.select"(%0, %3, %4) : (tensor<40xi1>, tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>)
    "stablehlo.return"(%5) : (tensor<40xf32>) -> ()
  }
}
