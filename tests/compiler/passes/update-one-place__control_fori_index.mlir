// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<9x5xf32>) -> (tensor<9x5xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> (tensor<i32>)
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3, %4, %5 = "stablehlo.while"(%2, %1, %0) ({
    ^bb0(%6: tensor<i32>, %7: tensor<i32>, %8: tensor<9x5xf32>):
      %9 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> (tensor<i32>)
      %10 = "stablehlo.compare"(%6, %9) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%10) : (tensor<i1>) -> ()
    }, {
    ^bb0(%11: tensor<i32>, %12: tensor<i32>, %13: tensor<9x5xf32>):
      %18 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %19 = "stablehlo.add"(%12, %18) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %20 = "stablehlo.convert"(%12) : (tensor<i32>) -> (tensor<f32>)
      %21 = "stablehlo.constant"() <{value = dense<1.500000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
      %22 = "stablehlo.multiply"(%20, %21) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %24 = "stablehlo.compare"(%12, %23) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      %25 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> (tensor<i32>)
      %26 = "stablehlo.add"(%12, %25) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %27 = "stablehlo.select"(%24, %26, %12) : (tensor<i1>, tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %28 = "stablehlo.convert"(%27) : (tensor<i32>) -> (tensor<i32>)
      %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<1xi32>)
      %30 = "stablehlo.convert"(%22) : (tensor<f32>) -> (tensor<f32>)
      %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<5xf32>)
      %35 = "stablehlo.scatter"(%13, %29, %31) <{index_vector_dim = 0 : i64, indices_are_sorted = true, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, unique_indices = true, update_window_dims = array<i64: 0>}> ({
      ^bb0(%32: tensor<f32>, %33: tensor<f32>):
        %34 = "stablehlo.add"(%32, %33) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
        "stablehlo.return"(%34) : (tensor<f32>) -> ()
      }) : (tensor<9x5xf32>, tensor<1xi32>, tensor<5xf32>) -> (tensor<9x5xf32>)
      %16 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %17 = "stablehlo.add"(%11, %16) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%17, %19, %35) : (tensor<i32>, tensor<i32>, tensor<9x5xf32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<9x5xf32>) -> (tensor<i32>, tensor<i32>, tensor<9x5xf32>)
    "stablehlo.return"(%5) : (tensor<9x5xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<i32>, %1: tensor<9x5xf32>) -> (tensor<i32>, tensor<9x5xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.add"(%0, %2) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %4 = "stablehlo.convert"(%0) : (tensor<i32>) -> (tensor<f32>)
    %5 = "stablehlo.constant"() <{value = dense<1.500000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.multiply"(%4, %5) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %8 = "stablehlo.compare"(%0, %7) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
    %9 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> (tensor<i32>)
    %10 = "stablehlo.add"(%0, %9) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %11 = "stablehlo.select"(%8, %10, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %12 = "stablehlo.convert"(%11) : (tensor<i32>) -> (tensor<i32>)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<1xi32>)
    %14 = "stablehlo.convert"(%6) : (tensor<f32>) -> (tensor<f32>)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<5xf32>)
    %16 = "stablehlo.scatter"(%1, %13, %15) <{index_vector_dim = 0 : i64, indices_are_sorted = true, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, unique_indices = true, update_window_dims = array<i64: 0>}> ({
    ^bb0(%17: tensor<f32>, %18: tensor<f32>):
      %19 = "stablehlo.add"(%17, %18) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%19) : (tensor<f32>) -> ()
    }) : (tensor<9x5xf32>, tensor<1xi32>, tensor<5xf32>) -> (tensor<9x5xf32>)
    "stablehlo.return"(%3, %16) : (tensor<i32>, tensor<9x5xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<9x5xf32>) -> (tensor<9x5xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> (tensor<i32>)
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3, %4, %5 = "stablehlo.while"(%2, %1, %0) ({
    ^bb0(%6: tensor<i32>, %7: tensor<i32>, %8: tensor<9x5xf32>):
      %9 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> (tensor<i32>)
      %10 = "stablehlo.compare"(%6, %9) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%10) : (tensor<i1>) -> ()
    }, {
    ^bb0(%11: tensor<i32>, %12: tensor<i32>, %13: tensor<9x5xf32>):
      %14 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %15 = "stablehlo.add"(%12, %14) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %16 = "stablehlo.convert"(%12) : (tensor<i32>) -> (tensor<f32>)
      %17 = "stablehlo.constant"() <{value = dense<1.500000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
      %18 = "stablehlo.multiply"(%16, %17) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      %19 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %20 = "stablehlo.compare"(%12, %19) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      %21 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> (tensor<i32>)
      %22 = "stablehlo.add"(%12, %21) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %24 = "stablehlo.convert"(%12) : (tensor<i32>) -> (tensor<i32>)
      %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<1xi32>)
      %26 = "stablehlo.convert"(%18) : (tensor<f32>) -> (tensor<f32>)
      %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<5xf32>)
      %28 = "stablehlo.scatter"(%13, %25, %27) <{index_vector_dim = 0 : i64, indices_are_sorted = true, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, unique_indices = true, update_window_dims = array<i64: 0>}> ({
      ^bb0(%29: tensor<f32>, %30: tensor<f32>):
        %31 = "stablehlo.add"(%29, %30) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
        "stablehlo.return"(%31) : (tensor<f32>) -> ()
      }) : (tensor<9x5xf32>, tensor<1xi32>, tensor<5xf32>) -> (tensor<9x5xf32>)
      %32 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %33 = "stablehlo.add"(%11, %32) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%33, %15, %28) : (tensor<i32>, tensor<i32>, tensor<9x5xf32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<9x5xf32>) -> (tensor<i32>, tensor<i32>, tensor<9x5xf32>)
    "stablehlo.return"(%5) : (tensor<9x5xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<i32>, %1: tensor<9x5xf32>) -> (tensor<i32>, tensor<9x5xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.add"(%0, %2) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %4 = "stablehlo.convert"(%0) : (tensor<i32>) -> (tensor<f32>)
    %5 = "stablehlo.constant"() <{value = dense<1.500000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.multiply"(%4, %5) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %8 = "stablehlo.compare"(%0, %7) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
    %9 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> (tensor<i32>)
    %10 = "stablehlo.add"(%0, %9) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %11 = "stablehlo.select"(%8, %10, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %12 = "stablehlo.convert"(%11) : (tensor<i32>) -> (tensor<i32>)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<1xi32>)
    %14 = "stablehlo.convert"(%6) : (tensor<f32>) -> (tensor<f32>)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<5xf32>)
    %16 = "stablehlo.scatter"(%1, %13, %15) <{index_vector_dim = 0 : i64, indices_are_sorted = true, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, unique_indices = true, update_window_dims = array<i64: 0>}> ({
    ^bb0(%17: tensor<f32>, %18: tensor<f32>):
      %19 = "stablehlo.add"(%17, %18) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%19) : (tensor<f32>) -> ()
    }) : (tensor<9x5xf32>, tensor<1xi32>, tensor<5xf32>) -> (tensor<9x5xf32>)
    "stablehlo.return"(%3, %16) : (tensor<i32>, tensor<9x5xf32>) -> ()
  }
}
